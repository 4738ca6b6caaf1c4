/* Files. Each has a communicator of its own in the trace, on which its collective calls are told. */
#include "tracer.h"

#include <stdlib.h>

struct known_file {
    MPI_File handle;
    int id;
    /* The number under which a split collective goes on. */
    int begun;
    struct known_file *next;
};

#ifndef LARGE
static struct known_file *files;

struct known_file *known_file(MPI_File handle) {
    struct known_file *known = trace ? files : NULL;
    while (known && known->handle != handle) known = known->next;
    return known;
}

/* All ranks of the communicator agree on a number, and each writes which ranks they are. */
static void learn_file(MPI_Comm comm, MPI_File handle) {
    struct known_file *known;
    int size;
    PMPI_Comm_size(comm, &size);
    /* A rank alone may open one without a communicator that the trace knows. */
    if (trace && size == 1 && !known_comm(comm)) made_comm(MPI_SUCCESS, &comm);
    if (!trace || !within(comm)) return;
    fprintf(trace, "%d file_open\n", me);
    known = calloc(1, sizeof *known);
    known->handle = handle, known->id = next_id(comm), known->next = files;
    PMPI_Bcast(&known->id, 1, MPI_INT, 0, comm);
    define_copy(comm, known->id);
    files = known;
}

static void forget_file(struct known_file *known) {
    struct known_file **at = &files;
    if (!known) return;
    while (*at != known) at = &(*at)->next;
    *at = known->next;
    free(known);
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file) {
    enter();
    int code = PMPI_File_open(comm, name, mode, info, file);
    if (code == MPI_SUCCESS) learn_file(comm, *file);
    return leave(code);
}

int MPI_File_close(MPI_File *file) {
    struct known_file *known = known_file(*file);
    enter();
    if (known) fprintf(trace, "%d within %d\n%d file_close\n", me, known->id, me);
    forget_file(known);
    return leave(PMPI_File_close(file));
}

/* What all ranks do together without reading or writing. */
#define MEET(function, parameters, arguments)                                                      \
    int MPI_File_##function parameters {                                                           \
        struct known_file *known = known_file(file);                                               \
        enter();                                                                                   \
        if (known) fprintf(trace, "%d within %d\n%d file_meet\n", me, known->id, me);              \
        return leave(PMPI_File_##function arguments);                                              \
    }

MEET(set_size, (MPI_File file, MPI_Offset size), (file, size))
MEET(preallocate, (MPI_File file, MPI_Offset size), (file, size))
MEET(set_info, (MPI_File file, MPI_Info info), (file, info))
MEET(set_atomicity, (MPI_File file, int flag), (file, flag))
MEET(sync, (MPI_File file), (file))
MEET(seek_shared, (MPI_File file, MPI_Offset offset, int whence), (file, offset, whence))
MEET(set_view,
     (MPI_File file, MPI_Offset place, MPI_Datatype element, MPI_Datatype view, const char *name, MPI_Info info),
     (file, place, element, view, name, info))
#else
struct known_file *known_file(MPI_File handle);
#endif

static void tell_moved(struct known_file *known, const char *word, int is_collective, long long bytes) {
    if (!known) return;
    if (is_collective) fprintf(trace, "%d within %d\n", me, known->id);
    fprintf(trace, "%d %s %lld\n", me, word, bytes);
}

/* What came of an access: the bytes that were read or written. */
static long long moved(MPI_Status *status) {
    MPI_Count count = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &count);
    return count == MPI_UNDEFINED ? 0 : (long long)count;
}

#define ARGUMENTS(...) __VA_ARGS__

/* Waited for in the call. */
#define NOW(function, word, is_collective, place, given, constant)                                 \
    int NAME(MPI_File_, function)(MPI_File file, ARGUMENTS place constant void *buffer, COUNT count, \
                                  MPI_Datatype type, MPI_Status *status) {                         \
        MPI_Status own, *seen = status == MPI_STATUS_IGNORE ? &own : status;                       \
        struct known_file *known = known_file(file);                                               \
        enter();                                                                                   \
        int code = NAME(PMPI_File_, function)(file, ARGUMENTS given buffer, count, type, seen);    \
        tell_moved(known, word, is_collective, code == MPI_SUCCESS ? moved(seen) : 0);            \
        return leave(code);                                                                        \
    }

/* Waited for later. */
#define LATER(function, word, is_collective, place, given, constant)                               \
    int NAME(MPI_File_, function)(MPI_File file, ARGUMENTS place constant void *buffer, COUNT count, \
                                  MPI_Datatype type, MPI_Request *request) {                       \
        struct known_file *known = known_file(file);                                               \
        enter();                                                                                   \
        int number = put_off(known != NULL);                                                       \
        tell_moved(known, word, is_collective, bytes_of(count, type));                            \
        int code = NAME(PMPI_File_, function)(file, ARGUMENTS given buffer, count, type, request); \
        learn_later(*request, number);                                                             \
        return leave(code);                                                                        \
    }

/* Begun in one call and waited for in another. */
#define BEGIN(function, word, place, given, constant)                                              \
    int NAME(MPI_File_, function##_begin)(MPI_File file, ARGUMENTS place constant void *buffer,     \
                                          COUNT count, MPI_Datatype type) {                        \
        struct known_file *known = known_file(file);                                               \
        enter();                                                                                   \
        int number = put_off(known != NULL);                                                       \
        tell_moved(known, word, 1, bytes_of(count, type));                                        \
        if (known) known->begun = number;                                                          \
        return leave(NAME(PMPI_File_, function##_begin)(file, ARGUMENTS given buffer, count, type)); \
    }

#define END(function, constant)                                                                    \
    int MPI_File_##function##_end(MPI_File file, constant void *buffer, MPI_Status *status) {      \
        struct known_file *known = known_file(file);                                               \
        enter();                                                                                   \
        int code = PMPI_File_##function##_end(file, buffer, status);                               \
        if (known) end_later(known->begun);                                                        \
        return leave(code);                                                                        \
    }

#define NONE ()
#define OFFSET (MPI_Offset offset, )
#define GIVEN (offset, )

#define KINDS(what, word, constant)                                                                 \
    NOW(what, word, 0, NONE, NONE, constant)                                                       \
    NOW(what##_shared, word, 0, NONE, NONE, constant)                                              \
    NOW(what##_at, word, 0, OFFSET, GIVEN, constant)                                               \
    NOW(what##_all, word "_all", 1, NONE, NONE, constant)                                          \
    NOW(what##_ordered, word "_all", 1, NONE, NONE, constant)                                      \
    NOW(what##_at_all, word "_all", 1, OFFSET, GIVEN, constant)                                    \
    LATER(i##what, word, 0, NONE, NONE, constant)                                                  \
    LATER(i##what##_shared, word, 0, NONE, NONE, constant)                                         \
    LATER(i##what##_at, word, 0, OFFSET, GIVEN, constant)                                          \
    LATER(i##what##_all, word "_all", 1, NONE, NONE, constant)                                     \
    LATER(i##what##_at_all, word "_all", 1, OFFSET, GIVEN, constant)                               \
    BEGIN(what##_all, word "_all", NONE, NONE, constant)                                           \
    BEGIN(what##_ordered, word "_all", NONE, NONE, constant)                                       \
    BEGIN(what##_at_all, word "_all", OFFSET, GIVEN, constant)

KINDS(read, "file_read", )
KINDS(write, "file_write", const)

#ifndef LARGE
END(read_all, )
END(read_ordered, )
END(read_at_all, )
END(write_all, const)
END(write_ordered, const)
END(write_at_all, const)
#endif
