/* ranks: 2 5 8 */
/* Communicators: dup, split, create, create_group, comparing, names, and between groups. */
#include "parity.h"

static const char *result(int outcome)
{
    return outcome == MPI_IDENT ? "identical" : outcome == MPI_CONGRUENT ? "congruent"
         : outcome == MPI_SIMILAR ? "similar" : outcome == MPI_UNEQUAL ? "unequal" : "wrong";
}

static void about(const char *name, MPI_Comm comm)
{
    int rank, size, outcome, sum;
    if (comm == MPI_COMM_NULL) {
        say("%s: null", name);
        return;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &outcome);
    MPI_Allreduce(&parity_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    say("%s: rank %d of %d, %s, sum of members %d", name, rank, size, result(outcome), sum);
}

static void inside(void)
{
    MPI_Comm comm;
    MPI_Group world, group;
    MPI_Request request;
    char name[MPI_MAX_OBJECT_NAME];
    int length, first[1] = {0}, range[1][3] = {{0, (parity_size - 1) / 2, 1}};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    about("dup", comm);
    MPI_Comm_set_name(comm, "the copy");
    MPI_Comm_get_name(comm, name, &length);
    say("name '%s' %d", name, length);
    MPI_Comm_free(&comm);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    say("world is '%s', freed is %s", name, comm == MPI_COMM_NULL ? "null" : "wrong");
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    about("idup", comm);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, parity_rank % 2, -parity_rank, &comm);
    about("split, backwards", comm);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, parity_rank == 0 ? MPI_UNDEFINED : 3, 0, &comm);
    about("split, one left out", comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 1, first, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    about("create", comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Group_range_incl(world, 1, range, &group);
    if (parity_rank <= range[0][1]) {
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 77, &comm);
        about("create_group", comm);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    about("self", MPI_COMM_SELF);
}

static void between(void)
{
    MPI_Comm half, inter, merged, copy;
    int color = parity_rank % 2, flag, size, remote, rank, in = -1, out = 10 * parity_rank;
    int all[16];
    MPI_Group group;
    MPI_Comm_split(MPI_COMM_WORLD, color, parity_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 12, &inter);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_size(inter, &size);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_group(inter, &group);
    say("between: %d, rank %d of %d, %d on the other side", flag, rank, size, remote);
    MPI_Group_free(&group);
    if (rank == 0)
        MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE);
    say("from the other side: %d", in);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, inter);
    MPI_Allgather(&parity_rank, 1, MPI_INT, all, 1, MPI_INT, inter);
    say("sum of the others: %d", in);
    say_numbers("the others", all, remote);
    in = out;
    MPI_Bcast(&in, 1, MPI_INT, color == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, inter);
    say("broadcast across: %d", in);
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_test_inter(copy, &flag);
    MPI_Barrier(copy);
    MPI_Intercomm_merge(copy, color == 0, &merged);
    about(flag ? "merged" : "wrong", merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    inside();
    between();
    parity_end();
    return 0;
}
