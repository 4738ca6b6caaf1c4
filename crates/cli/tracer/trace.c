/* Writes what the ranks of a real MPI run do as a time-independent trace.
 *
 * Compiled by the MPI library's own compiler wrapper, since handles differ from one MPI library to
 * another, and loaded before it: LD_PRELOAD, or linked in front of it. Each MPI call is passed on
 * to its PMPI twin. Ranks write their own files; only the numbers of new communicators are agreed
 * upon by messages.
 *
 * FORETELL_TRACE        the folder (default: foretell-trace)
 * FORETELL_COMPUTATION  time: CPU time times a speed; instructions: what the processor counts;
 *                       by default instructions if the machine lets them be counted
 * FORETELL_SPEED        flop/s that CPU time is multiplied by (default: 1e9), or flops for each
 *                       instruction (default: 1)
 *
 * This file: the rank's own file, its beginning and end, and what is computed between two calls.
 */
#define _GNU_SOURCE
#include "tracer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

FILE *trace;
int me = -1, ranks;

static char *folder;
/* The rank's own file, if it can be written. */
static FILE *own;
static double speed = 1e9, last;
static int counter = -1;

/* Computation. */

static double used_so_far(void) {
    if (counter >= 0) {
        uint64_t count = 0;
        if (read(counter, &count, sizeof count) == sizeof count) return (double)count;
    }
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void choose_computation(void) {
    const char *how = getenv("FORETELL_COMPUTATION"), *value = getenv("FORETELL_SPEED");
    if (!how || strcmp(how, "time") != 0) {
        struct perf_event_attr attr;
        memset(&attr, 0, sizeof attr);
        attr.type = PERF_TYPE_HARDWARE;
        attr.size = sizeof attr;
        attr.config = PERF_COUNT_HW_INSTRUCTIONS;
        attr.exclude_kernel = attr.exclude_hv = 1;
        counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
        if (counter < 0 && how && me == 0) {
            fprintf(stderr, "foretell: instructions cannot be counted here (%s); CPU time is taken instead\n",
                    strerror(errno));
        }
    }
    if (counter >= 0) speed = 1.0;
    if (value) {
        char *end;
        double given = strtod(value, &end);
        if (end != value && *end == 0 && given > 0) speed = given;
        else if (me == 0) fprintf(stderr, "foretell: FORETELL_SPEED=%s is no positive number\n", value);
    }
    fprintf(trace, "# computation: %s times %g\n", counter >= 0 ? "instructions" : "seconds of CPU time", speed);
}

void enter(void) {
    if (!trace) return;
    double amount = (used_so_far() - last) * speed;
    if (amount >= 1.0) fprintf(trace, "%d compute %.0f\n", me, amount);
}

int leave(int code) {
    if (trace) last = used_so_far();
    return code;
}

/* Things that the trace cannot tell, each told once at the end. */

static struct {
    const char *what;
    unsigned long times;
} left_out[32];

void leave_out(const char *what) {
    if (!trace) return;
    int at = 0;
    while (at < 31 && left_out[at].what && strcmp(left_out[at].what, what) != 0) at++;
    left_out[at].what = what;
    left_out[at].times++;
}

static void tell_left_out(void) {
    for (int i = 0; i < 32 && left_out[i].what; i++) {
        char times[32];
        if (left_out[i].times == 1) strcpy(times, "once");
        else snprintf(times, sizeof times, "%lu times", left_out[i].times);
        /* At once, since other ranks write as well. */
        fprintf(stderr, "foretell: the trace of rank %d leaves out %s (%s)\n", me, left_out[i].what, times);
    }
}

/* Lines that are told later, and again and again. */

static FILE *whole;
static char *aside;
static size_t aside_length;

void set_aside(void) {
    whole = trace;
    if (trace) trace = open_memstream(&aside, &aside_length);
}

char *take_back(void) {
    if (!whole) return NULL;
    fclose(trace);
    trace = whole;
    return aside;
}

int take_number(struct numbers *numbers) {
    int number = 0;
    while (number < numbers->room && numbers->is_taken[number]) number++;
    if (number == numbers->room) {
        numbers->room = 2 * numbers->room + 8;
        numbers->is_taken = realloc(numbers->is_taken, numbers->room);
        memset(numbers->is_taken + number, 0, numbers->room - number);
    }
    numbers->is_taken[number] = 1;
    return number;
}

void free_number(struct numbers *numbers, int number) {
    numbers->is_taken[number] = 0;
}

/* Beginning and end. */

/* A file of the folder, which is to be freed. */
static char *path_of(const char *name, int number) {
    char *path = malloc(strlen(folder) + strlen(name) + 16);
    sprintf(path, "%s/", folder);
    sprintf(path + strlen(path), name, number);
    return path;
}

/* What an earlier run has left must not be taken for a part of this one, whatever becomes of it. */
static void sweep(void) {
    char *path = path_of("index.txt", 0);
    remove(path);
    free(path);
    for (int rank = ranks, is_there = 1; is_there; rank++) {
        path = path_of("rank-%d.txt", rank);
        is_there = remove(path) == 0;
        free(path);
    }
}

/* A process that the program forks off has what is not written yet as well, and would write it
 * once more at its end. */
static void leave_to_parent(void) {
    if (own) __fpurge(own);
    own = trace = NULL;
}

/* The rank's file; one that goes nowhere if it cannot be written, since others wait for this rank
 * where they agree on numbers. */
static void open_trace(void) {
    const char *wanted = getenv("FORETELL_TRACE");
    folder = strdup(wanted && *wanted ? wanted : "foretell-trace");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "foretell: rank %d cannot make the folder %s: %s\n", me, folder, strerror(errno));
    } else {
        /* The program may go elsewhere before it ends. */
        char *absolute = realpath(folder, NULL);
        if (absolute) folder = absolute;
        char *name = path_of("rank-%d.txt", me);
        own = fopen(name, "w");
        if (!own) fprintf(stderr, "foretell: rank %d cannot write %s: %s\n", me, name, strerror(errno));
        free(name);
        if (me == 0) sweep();
    }
    trace = own ? own : fopen("/dev/null", "w");
    if (!trace) return;
    setvbuf(trace, NULL, _IOFBF, 1 << 16);
    /* Else the system would be asked each time where the file is. */
    fseek(trace, 0, SEEK_SET);
    pthread_atfork(NULL, NULL, leave_to_parent);
}

static void begin_trace(void) {
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (parent != MPI_COMM_NULL) {
        if (me == 0) fprintf(stderr, "foretell: processes that were spawned are not traced\n");
        return;
    }
    open_trace();
    if (!trace) return;
    begin_comms();
    choose_computation();
    fprintf(trace, "%d init\n", me);
    last = used_so_far();
}

/* The list of all files, which makes them a trace: so it comes last, and if all are written. */
static void write_list(void) {
    char *name = path_of("index.txt", 0);
    FILE *list = fopen(name, "w");
    for (int rank = 0; list && rank < ranks; rank++) fprintf(list, "rank-%d.txt\n", rank);
    int is_bad = !list || ferror(list);
    if ((list && fclose(list) != 0) || is_bad)
        fprintf(stderr, "foretell: cannot write %s: %s\n", name, strerror(errno));
    free(name);
}

static void end_trace(void) {
    if (!trace) return;
    fprintf(trace, "%d finalize\n", me);
    int is_bad = ferror(trace), bad = 0;
    if ((fclose(trace) != 0 || is_bad) && own) {
        fprintf(stderr, "foretell: rank %d could not write all of its trace\n", me);
        own = NULL;
    }
    int lacks = !own;
    own = trace = NULL;
    tell_left_out();
    PMPI_Reduce(&lacks, &bad, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0 && bad == 0) write_list();
    else if (me == 0) fprintf(stderr, "foretell: there is no trace in %s: %d of %d ranks lack theirs\n", folder, bad, ranks);
}

/* A program that ends otherwise than by MPI_Finalize. */
__attribute__((destructor)) static void end_early(void) {
    if (own) fprintf(stderr, "foretell: rank %d has not called MPI_Finalize, so there is no trace in %s\n", me, folder);
}

int MPI_Init(int *argc, char ***argv) {
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) begin_trace();
    return leave(code);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) begin_trace();
    if (required == MPI_THREAD_MULTIPLE) leave_out("which thread a call is of");
    return leave(code);
}

int MPI_Finalize(void) {
    enter();
    end_trace();
    return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code) {
    if (own) {
        fflush(own);
        fprintf(stderr, "foretell: rank %d calls MPI_Abort, so there is no trace in %s\n", me, folder);
    }
    return PMPI_Abort(comm, code);
}
