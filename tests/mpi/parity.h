/* What the parity programs share: every rank says lines, rank 0 prints them in the order of ranks.
 *
 * The output must not depend on timing, on the order in which ranks run, or on the numbers that an
 * MPI library gave its constants. */
#ifndef PARITY_H
#define PARITY_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char parity_text[1 << 16];
static size_t parity_length;
static int parity_rank, parity_size;

/* Adds a line to what this rank will have printed. */
static void say(const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof parity_text - parity_length;
    int written;
    va_start(arguments, format);
    written = vsnprintf(parity_text + parity_length, room, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written + 2 > room) {
        fprintf(stderr, "parity.h: a rank says too much\n");
        exit(99);
    }
    parity_length += (size_t)written;
    parity_text[parity_length++] = '\n';
    parity_text[parity_length] = 0;
}

/* Adds numbers in one line. */
static inline void say_numbers(const char *name, const int *numbers, int count)
{
    char line[4096];
    int length = snprintf(line, sizeof line, "%s:", name);
    for (int i = 0; i < count && length < (int)sizeof line - 16; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %d", numbers[i]);
    say("%s", line);
}

static void parity_print(int rank, char *text)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        printf("[%d] %s\n", rank, line);
}

/* Prints what the ranks of MPI_COMM_WORLD have said since the last time. */
static void parity_flush(void)
{
    int length = (int)parity_length + 1;
    if (parity_rank != 0) {
        MPI_Send(&length, 1, MPI_INT, 0, 32001, MPI_COMM_WORLD);
        MPI_Send(parity_text, length, MPI_CHAR, 0, 32002, MPI_COMM_WORLD);
    } else {
        parity_print(0, parity_text);
        for (int rank = 1; rank < parity_size; rank++) {
            MPI_Recv(&length, 1, MPI_INT, rank, 32001, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(parity_text, length, MPI_CHAR, rank, 32002, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            parity_print(rank, parity_text);
        }
        fflush(stdout);
    }
    parity_length = 0;
    parity_text[0] = 0;
}

/* For programs that have started MPI themselves. */
static inline void parity_begun(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &parity_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &parity_size);
}

static inline void parity_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    parity_begun();
}

static void parity_end(void)
{
    parity_flush();
    MPI_Finalize();
}

/* The name of an error's class: its number differs between libraries. */
static inline const char *error_name(int error)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
#define NAMED(name) {name, #name}
        NAMED(MPI_SUCCESS), NAMED(MPI_ERR_BUFFER), NAMED(MPI_ERR_COUNT), NAMED(MPI_ERR_TYPE),
        NAMED(MPI_ERR_TAG), NAMED(MPI_ERR_COMM), NAMED(MPI_ERR_RANK), NAMED(MPI_ERR_REQUEST),
        NAMED(MPI_ERR_ROOT), NAMED(MPI_ERR_GROUP), NAMED(MPI_ERR_OP), NAMED(MPI_ERR_TOPOLOGY),
        NAMED(MPI_ERR_DIMS), NAMED(MPI_ERR_ARG), NAMED(MPI_ERR_UNKNOWN), NAMED(MPI_ERR_TRUNCATE),
        NAMED(MPI_ERR_OTHER), NAMED(MPI_ERR_INTERN), NAMED(MPI_ERR_IN_STATUS),
        NAMED(MPI_ERR_PENDING), NAMED(MPI_ERR_KEYVAL), NAMED(MPI_ERR_INFO),
        NAMED(MPI_ERR_INFO_KEY), NAMED(MPI_ERR_INFO_VALUE), NAMED(MPI_ERR_INFO_NOKEY),
        NAMED(MPI_ERR_FILE), NAMED(MPI_ERR_NOT_SAME), NAMED(MPI_ERR_AMODE),
        NAMED(MPI_ERR_UNSUPPORTED_DATAREP), NAMED(MPI_ERR_UNSUPPORTED_OPERATION),
        NAMED(MPI_ERR_NO_SUCH_FILE), NAMED(MPI_ERR_FILE_EXISTS), NAMED(MPI_ERR_BAD_FILE),
        NAMED(MPI_ERR_ACCESS), NAMED(MPI_ERR_NO_SPACE), NAMED(MPI_ERR_QUOTA),
        NAMED(MPI_ERR_READ_ONLY), NAMED(MPI_ERR_FILE_IN_USE), NAMED(MPI_ERR_DUP_DATAREP),
        NAMED(MPI_ERR_CONVERSION), NAMED(MPI_ERR_IO),
#undef NAMED
    };
    int number = MPI_ERR_UNKNOWN;
    MPI_Error_class(error, &number);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == number)
            return names[i].name;
    return "another class";
}

#endif
