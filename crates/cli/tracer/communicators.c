/* Communicators: who is in them, what they are called in the trace, and how they are made. */
#include "tracer.h"

#include <stdint.h>
#include <stdlib.h>

static int keyval = MPI_KEYVAL_INVALID, made;

static int forget_comm(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)extra;
    free(((struct known_comm *)value)->world);
    free(((struct known_comm *)value)->own);
    free(value);
    return MPI_SUCCESS;
}

struct known_comm *known_comm(MPI_Comm comm) {
    struct known_comm *known = NULL;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, keyval, &known, &is_there);
    return is_there ? known : NULL;
}

int *world_ranks(MPI_Group group, int *size) {
    MPI_Group all;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_size(group, size);
    int *own = malloc(sizeof(int) * (*size + 1)), *world = malloc(sizeof(int) * (*size + 1)), elsewhere = 0;
    for (int rank = 0; rank < *size; rank++) own[rank] = rank;
    PMPI_Group_translate_ranks(group, *size, own, all, world);
    for (int rank = 0; rank < *size; rank++) elsewhere |= world[rank] == MPI_UNDEFINED;
    PMPI_Group_free(&all);
    free(own);
    if (!elsewhere) return world;
    free(world);
    return NULL;
}

/* Not if some of its ranks are elsewhere: they are not traced, or not here. */
static struct known_comm *learn_comm(MPI_Comm comm) {
    struct known_comm *known = calloc(1, sizeof *known);
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    known->world = world_ranks(group, &known->size);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &known->is_inter);
    if (known->is_inter && known->world) {
        known->own = known->world, known->side = known->size;
        PMPI_Comm_remote_group(comm, &group);
        known->world = world_ranks(group, &known->size);
        PMPI_Group_free(&group);
    }
    if (!known->world) {
        free(known->own);
        free(known);
        return NULL;
    }
    PMPI_Comm_set_attr(comm, keyval, known);
    return known;
}

void begin_comms(void) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_comm, &keyval, NULL);
    learn_comm(MPI_COMM_WORLD);
}

/* Different for each first rank, and for each communicator of one. */
int next_id(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank == 0 ? (int)(1 + me + (long)ranks * made++ % (0x7fffffff - ranks)) : 0;
}

/* By chance alone is it that of another one. */
int copy_id(struct known_comm *known) {
    uint64_t both = (uint64_t)known->id << 32 | (uint32_t)++known->copies;
    return 1 << 30 | (int)(both * 0x9e3779b97f4a7c15ull >> 34);
}

/* All ranks of both groups get to know the smaller number of the two first ranks. */
static int agree_between(MPI_Comm comm, int own) {
    int theirs = 0, ours = 0;
    PMPI_Allreduce(&own, &theirs, 1, MPI_INT, MPI_MAX, comm);
    PMPI_Allreduce(&theirs, &ours, 1, MPI_INT, MPI_MAX, comm);
    return ours < theirs ? ours : theirs;
}

void tell_members(const int *world, int size) {
    for (int first = 0; first < size;) {
        int count = 1, stride = 1;
        if (first + 1 < size && world[first + 1] > world[first]) stride = world[first + 1] - world[first];
        while (first + count < size && world[first + count] == world[first] + count * stride) count++;
        fprintf(trace, " %d:%d:%d", world[first], count, stride);
        first += count;
    }
}

static void tell_comm(struct known_comm *known, int id) {
    fprintf(trace, "%d %s %d", me, known->is_inter ? "inter_def" : "comm_def", id);
    /* Both sides tell the same. */
    int is_first = known->is_inter && known->own[0] < known->world[0];
    if (is_first) tell_members(known->own, known->side), fputs(" |", trace);
    tell_members(known->world, known->size);
    if (known->is_inter && !is_first) fputs(" |", trace), tell_members(known->own, known->side);
    fputc('\n', trace);
}

static void define_comm(struct known_comm *known, int id) {
    known->id = id;
    tell_comm(known, id);
}

void define_copy(MPI_Comm comm, int id) {
    struct known_comm *known = known_comm(comm);
    if (known) tell_comm(known, id);
}

int made_comm(int code, MPI_Comm *comm) {
    if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || !trace) return leave(code);
    struct known_comm *known = learn_comm(*comm);
    if (!known) return leave(code);
    int id = next_id(*comm);
    if (known->is_inter) id = agree_between(*comm, id);
    else PMPI_Bcast(&id, 1, MPI_INT, 0, *comm);
    define_comm(known, id);
    return leave(code);
}

void made_copy(MPI_Comm comm, int id) {
    struct known_comm *known = learn_comm(comm);
    if (known) define_comm(known, id);
}

int is_whole(MPI_Comm comm) {
    struct known_comm *known = trace ? known_comm(comm) : NULL;
    return known && !known->is_inter;
}

int is_traced(MPI_Comm comm) {
    return trace && known_comm(comm) != NULL;
}

int within(MPI_Comm comm) {
    if (!trace) return 0;
    struct known_comm *known = known_comm(comm);
    int size = 0, is_inter = 0;
    if (known) {
        if (known->id) fprintf(trace, "%d within %d\n", me, known->id);
        return 1;
    }
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_test_inter(comm, &is_inter);
    if (size > 1 || is_inter) leave_out("collectives of communicators that were made in unknown ways");
    return 0;
}

long world_rank(int rank, MPI_Comm comm) {
    if (rank == MPI_PROC_NULL) return PROC_NULL;
    if (rank == MPI_ANY_SOURCE) return ANY_SOURCE;
    struct known_comm *known = known_comm(comm);
    if (known) return known->world[rank];
    return me;
}

/* Tags of other communicators than the world are made up, far from those that programs use. */
long told_tag(int tag, MPI_Comm comm) {
    if (tag == MPI_ANY_TAG) return ANY_TAG;
    struct known_comm *known = known_comm(comm);
    if (!known || !known->id) return tag;
    uint64_t both = (uint64_t)known->id << 32 | (uint32_t)tag;
    return 1L << 30 | (long)(both * 0x9e3779b97f4a7c15ull >> 34);
}

/* New communicators. */

#define MAKER(function, parameters, arguments)                                                     \
    int MPI_##function(OPEN parameters, MPI_Comm *made_here) {                                     \
        enter();                                                                                   \
        return made_comm(PMPI_##function(OPEN arguments, made_here), made_here);                   \
    }

MAKER(Comm_dup, (MPI_Comm comm), (comm))
MAKER(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
MAKER(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key))
MAKER(Comm_split_type, (MPI_Comm comm, int kind, int key, MPI_Info info), (comm, kind, key, info))
MAKER(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group))
MAKER(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), (comm, group, tag))
MAKER(Cart_create, (MPI_Comm comm, int dimensions, const int *sizes, const int *periods, int reorder),
      (comm, dimensions, sizes, periods, reorder))
MAKER(Cart_sub, (MPI_Comm comm, const int *kept), (comm, kept))
MAKER(Graph_create, (MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder),
      (comm, nodes, index, edges, reorder))
MAKER(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int *sources, const int *weights, int out, const int *targets,
       const int *others, MPI_Info info, int reorder),
      (comm, in, sources, weights, out, targets, others, info, reorder))
MAKER(Dist_graph_create,
      (MPI_Comm comm, int nodes, const int *sources, const int *degrees, const int *targets, const int *weights,
       MPI_Info info, int reorder),
      (comm, nodes, sources, degrees, targets, weights, info, reorder))
MAKER(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm bridge, int other, int tag),
      (comm, leader, bridge, other, tag))
MAKER(Intercomm_merge, (MPI_Comm comm, int high), (comm, high))
#if MPI_VERSION >= 4
MAKER(Comm_create_from_group, (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler),
      (group, tag, info, handler))
MAKER(Intercomm_create_from_groups,
      (MPI_Group group, int leader, MPI_Group other, int there, const char *tag, MPI_Info info,
       MPI_Errhandler handler),
      (group, leader, other, there, tag, info, handler))
#endif

#define LATER_MAKER(function, parameters, arguments)                                               \
    int MPI_##function(OPEN parameters, MPI_Comm *made_here, MPI_Request *request) {               \
        enter();                                                                                   \
        int code = PMPI_##function(OPEN arguments, made_here, request);                            \
        if (code == MPI_SUCCESS && trace) learn_copy(*request, made_here, comm);                   \
        return leave(code);                                                                        \
    }

LATER_MAKER(Comm_idup, (MPI_Comm comm), (comm))
#if MPI_VERSION >= 4
LATER_MAKER(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
#endif

/* Such processes have a world of their own. */

int MPI_Comm_spawn(const char *command, char *argv[], int processes, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm *made_here, int codes[]) {
    enter();
    leave_out("processes that were spawned");
    return leave(PMPI_Comm_spawn(command, argv, processes, info, root, comm, made_here, codes));
}

int MPI_Comm_spawn_multiple(int count, char *commands[], char **argvs[], const int processes[],
                            const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *made_here, int codes[]) {
    enter();
    leave_out("processes that were spawned");
    return leave(PMPI_Comm_spawn_multiple(count, commands, argvs, processes, infos, root, comm, made_here, codes));
}
