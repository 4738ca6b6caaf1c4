/* ranks: 1 4 7 */
/* Groups: sets and their order. */
#include "parity.h"

static const char *result(int outcome)
{
    return outcome == MPI_IDENT ? "identical" : outcome == MPI_CONGRUENT ? "congruent"
         : outcome == MPI_SIMILAR ? "similar" : outcome == MPI_UNEQUAL ? "unequal" : "wrong";
}

static void members(const char *name, MPI_Group group, MPI_Group world)
{
    int size, rank, numbers[16], own[16];
    MPI_Group_size(group, &size);
    MPI_Group_rank(group, &rank);
    for (int i = 0; i < size; i++)
        own[i] = i;
    MPI_Group_translate_ranks(group, size, own, world, numbers);
    say_numbers(name, numbers, size);
    say("  size %d, mine %s", size, rank == MPI_UNDEFINED ? "undefined" : "there");
}

int main(int argc, char **argv)
{
    MPI_Group world, even, low, group, empty = MPI_GROUP_EMPTY;
    int list[16], count = 0, outcome, translated[2], ranges[2][3];
    parity_begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int rank = parity_size - 1; rank >= 0; rank--)
        if (rank % 2 == 0)
            list[count++] = rank;
    MPI_Group_incl(world, count, list, &even);
    members("even, backwards", even, world);
    ranges[0][0] = 0;
    ranges[0][1] = parity_size / 2;
    ranges[0][2] = 1;
    MPI_Group_range_incl(world, 1, ranges, &low);
    members("low", low, world);
    MPI_Group_union(even, low, &group);
    members("union", group, world);
    MPI_Group_free(&group);
    MPI_Group_intersection(even, low, &group);
    members("intersection", group, world);
    MPI_Group_free(&group);
    MPI_Group_difference(world, even, &group);
    members("difference", group, world);
    MPI_Group_compare(group, even, &outcome);
    say("difference and even: %s", result(outcome));
    MPI_Group_free(&group);
    MPI_Group_excl(world, count, list, &group);
    members("excluded", group, world);
    MPI_Group_free(&group);
    ranges[0][0] = parity_size - 1;
    ranges[0][1] = 0;
    ranges[0][2] = -2;
    MPI_Group_range_excl(world, 1, ranges, &group);
    members("range excluded", group, world);
    MPI_Group_free(&group);
    MPI_Group_union(low, world, &group);
    MPI_Group_compare(group, world, &outcome);
    say("low and all: %s", result(outcome));
    MPI_Group_free(&group);
    MPI_Group_union(even, world, &group);
    MPI_Group_compare(group, world, &outcome);
    say("even backwards and all: %s", result(outcome));
    MPI_Group_free(&group);
    list[0] = 0;
    list[1] = MPI_PROC_NULL;
    MPI_Group_translate_ranks(world, 2, list, even, translated);
    say("translated: %d %s", translated[0], translated[1] == MPI_PROC_NULL ? "null" : "wrong");
    MPI_Group_difference(even, even, &group);
    say("nothing is the empty group: %s", group == empty ? "yes" : "no");
    MPI_Group_free(&even);
    MPI_Group_free(&low);
    MPI_Group_free(&world);
    parity_end();
    return 0;
}
