/* What the files of the tracer know of each other. */
#ifndef FORETELL_TRACER_H
#define FORETELL_TRACER_H

#include <mpi.h>
#include <stdio.h>

/* As in traces of SimGrid. */
enum { ANY_SOURCE = -555, ANY_TAG = -444, PROC_NULL = -666, BYTE = 6 };

#define OPEN(...) __VA_ARGS__

/* Calls with large counts, which came with version 4, are those with small ones compiled once more. */
#ifdef LARGE
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define NAME(prefix, function) prefix##function##_c
#else
#define COUNT int
#define PLACE int
#define NAME(prefix, function) prefix##function
#endif

/* Programs may have functions of the same names. */
#pragma GCC visibility push(hidden)

/* trace.c: where the rank's lines go; nowhere before MPI is initialized and after it is finalized. */
extern FILE *trace;
extern int me, ranks;

/* Each call begins with this: what was computed since the last one is written. */
void enter(void);
/* And ends with this: what MPI itself has used is not computation of the program. */
int leave(int code);
/* Something that the trace cannot tell, which is told at the end. */
void leave_out(const char *what);
/* Between these, lines are kept aside; gives them, to be freed. */
void set_aside(void);
char *take_back(void);

/* The smallest number that is free, so that what repeats has the same numbers each time. */
struct numbers {
    unsigned char *is_taken;
    int room;
};
int take_number(struct numbers *numbers);
void free_number(struct numbers *numbers, int number);

/* communicators.c: what is known of a communicator, kept with it. */
struct known_comm {
    int id; /* 0 for the world */
    int is_inter;
    int size;   /* of the group that messages go to: the other one, if there are two */
    int *world; /* its ranks in the world */
    int side;   /* of the own group, if there are two */
    int *own;
    int copies; /* that were begun beside the ranks, if there are two groups */
};
/* The tag of messages that programs do not send themselves. */
enum { OWN_TAG = -0x7fffffff };

void begin_comms(void);
struct known_comm *known_comm(MPI_Comm comm);
/* A communicator was made: its ranks agree on a number, and each writes which ranks they are. */
int made_comm(int code, MPI_Comm *comm);
/* The same where they have agreed before. */
void made_copy(MPI_Comm comm, int id);
/* Another number for the ranks of a communicator, which each of them writes. */
void define_copy(MPI_Comm comm, int id);
/* A number for one that is being made, of which only the first rank's counts. */
int next_id(MPI_Comm comm);
/* The same for a copy of one with two groups, whose ranks all come to the same number. */
int copy_id(struct known_comm *known);
/* Whether it is known and has one group. */
int is_whole(MPI_Comm comm);
/* Whether its collectives can be told. */
int is_traced(MPI_Comm comm);
/* The same; says which communicator it is if need be, or what is left out. */
int within(MPI_Comm comm);
/* Ranks of a group in the world, to be freed; none if some are elsewhere. */
int *world_ranks(MPI_Group group, int *size);
/* Runs of ranks as "first:count:stride", each behind a blank. */
void tell_members(const int *world, int size);
long world_rank(int rank, MPI_Comm comm);
long told_tag(int tag, MPI_Comm comm);

/* messages.c */
long long bytes_of(MPI_Count count, MPI_Datatype type);
/* A message that a probe took out. */
struct known_message {
    MPI_Message handle;
    long from, tag;
    struct known_message *next;
};
/* The message if it is known, which is received now and no longer known then. */
int take_message(MPI_Message handle, struct known_message *message);

/* requests.c: what a wait for a message says. */
struct waited {
    long from, to, tag;
};

/* A message was begun whose line begins there in the rank's file. */
void learn_request(MPI_Request request, struct waited message, long line);
/* Several messages were begun that one request stands for; the list is freed with it. */
void learn_requests(MPI_Request request, int count, struct waited *messages);
/* They are begun at each start, by these lines, which are freed with them. */
void keep_requests(MPI_Request request, int count, struct waited *messages, char *begin);
/* The same for a collective, whose lines follow the number that it is begun under. */
void keep_collective(MPI_Request request, char *begin);
/* What follows is begun, to be waited for later; gives its number, none if it cannot be told. */
int put_off(int is_told);
void learn_later(MPI_Request request, int number);
/* The rank takes note that it is complete. */
void end_later(int number);
/* A communicator that is there when the request is done, and the number its ranks agree on. */
void learn_copy(MPI_Request request, MPI_Comm *comm, MPI_Comm parent);
/* Waits for messages that were begun in the same call; the list is freed. */
void wait_for(int count, struct waited *messages);

/* windows.c: what is known of a window, kept with it. */
struct known_window {
    int number;
    int *world; /* its ranks in the world */
};
/* The window, if what happens there is told. */
struct known_window *known_window(MPI_Win window);
int made_window(int code, MPI_Comm comm, MPI_Win window);

#pragma GCC visibility pop

#endif
