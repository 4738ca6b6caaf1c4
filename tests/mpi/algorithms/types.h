/* Types with and without gaps, and buffers of elements of them that know what belongs where. */
#ifndef TYPES_H
#define TYPES_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 14, GAP = -77 };

/* Integers of an element, and the distance from one element to the next. */
struct shape {
    const char *name;
    MPI_Datatype type;
    int ints, places[3], extent;
};

enum { SHAPES = 4 };
static struct shape shapes[SHAPES] = {
    {"an integer", MPI_DATATYPE_NULL, 1, {0}, 1},
    {"three integers", MPI_DATATYPE_NULL, 3, {0, 1, 2}, 3},
    {"every second integer", MPI_DATATYPE_NULL, 2, {0, 2}, 3},
    {"integers with gaps before and behind", MPI_DATATYPE_NULL, 2, {1, 3}, 6},
};
static struct shape *shape;
static int rank, size, form, in_place;
static const char *doing;

static void make_shapes(void)
{
    MPI_Datatype apart;
    MPI_Type_dup(MPI_INT, &shapes[0].type);
    MPI_Type_contiguous(3, MPI_INT, &shapes[1].type);
    MPI_Type_vector(2, 1, 2, MPI_INT, &shapes[2].type);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 3}, MPI_INT, &apart);
    MPI_Type_create_resized(apart, 0, 6 * sizeof(int), &shapes[3].type);
    MPI_Type_free(&apart);
    for (int i = 0; i < SHAPES; i++)
        MPI_Type_commit(&shapes[i].type);
}

static void free_shapes(void)
{
    for (int i = 0; i < SHAPES; i++)
        MPI_Type_free(&shapes[i].type);
}

/* What element `number` of those that `from` has for `to` is. */
static int value(int from, int to, int number)
{
    return 10000 * from + 100 * to + number;
}

static void clear(int *buffer)
{
    for (int i = 0; i < ROOM; i++)
        buffer[i] = GAP;
}

/* Writes elements from place `at` on. */
static void put(int *buffer, int at, int from, int to, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < shape->ints; k++)
            buffer[(at + i) * shape->extent + shape->places[k]] = 3 * value(from, to, i) + k;
}

/* Ends the run if elements are not what they should be; takes them out of the buffer. */
static void take(int *buffer, int at, int from, int to, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < shape->ints; k++) {
            int *found = &buffer[(at + i) * shape->extent + shape->places[k]];
            int due = 3 * value(from, to, i) + k;
            if (*found != due) {
                fprintf(stderr,
                        "rank %d of %d: %s of %s, form %d, in place %d: element %d from %d to %d "
                        "is %d, not %d\n",
                        rank, size, doing, shape->name, form, in_place, i, from, to, *found, due);
                MPI_Abort(MPI_COMM_WORLD, 3);
            }
            *found = GAP;
        }
}

/* Ends the run if anything but what was taken out was written. */
static void empty(const int *buffer)
{
    for (int i = 0; i < ROOM; i++)
        if (buffer[i] != GAP) {
            fprintf(stderr, "rank %d of %d: %s of %s, form %d, in place %d: %d is at place %d\n",
                    rank, size, doing, shape->name, form, in_place, buffer[i], i);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
}

#endif
