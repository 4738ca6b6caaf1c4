/* What the parity programs on files share: a file of their own, and looks at what is in it. */
#ifndef PARITY_FILES_H
#define PARITY_FILES_H

#include "parity.h"
#include <unistd.h>

static char file_name[256];

/* Makes up the name of a file that is not there, the same on all ranks. */
static void name_file(void)
{
    if (parity_rank == 0) {
        const char *folder = getenv("TMPDIR");
        snprintf(file_name, sizeof file_name, "%s/parity-%ld", folder ? folder : "/tmp",
            (long)getpid());
        unlink(file_name);
    }
    MPI_Bcast(file_name, sizeof file_name, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Says the ints that are in the file, as rank 0 sees them without MPI. All ranks call it. */
static inline void say_file(const char *what)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (parity_rank == 0) {
        int numbers[256];
        FILE *file = fopen(file_name, "rb");
        size_t count = file ? fread(numbers, sizeof(int), 256, file) : 0;
        say_numbers(what, numbers, (int)count);
        if (file)
            fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The number of elements that a status tells. */
static inline int told(MPI_Status *status, MPI_Datatype type)
{
    int count = -1;
    MPI_Get_count(status, type, &count);
    return count == MPI_UNDEFINED ? -2 : count;
}

#endif
