/* ranks: 1 3 4 */
/* The shared pointer: accesses in turn, in the order of ranks, and moving it. */
#include "parity_files.h"

static MPI_File file;

static void say_pointer(const char *what)
{
    MPI_Offset where;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &where);
    say("%s: %lld", what, (long long)where);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks take their turns, so that the order is known. */
static void in_turn(void)
{
    int numbers[2] = {parity_rank, -parity_rank}, rank;
    MPI_Status status;
    for (rank = parity_size - 1; rank >= 0; rank--) {
        if (rank == parity_rank)
            MPI_File_write_shared(file, numbers, rank % 2 + 1, MPI_INT, &status);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("wrote %d", told(&status, MPI_INT));
    say_pointer("after writing in turn");
    say_file("in turn");
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    for (rank = 0; rank < parity_size; rank++) {
        if (rank == parity_rank)
            MPI_File_read_shared(file, numbers, 1, MPI_INT, &status);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("read %d", numbers[0]);
    say_pointer("after reading in turn");
}

/* Whoever comes first: all parts are there, each once. */
static void in_any_order(void)
{
    int number = 1 << parity_rank, sum = 0, i, all[8];
    MPI_Request request;
    MPI_Status status;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iwrite_shared(file, &number, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    say("wrote %d", told(&status, MPI_INT));
    say_pointer("all wrote");
    MPI_File_read_at(file, 0, all, parity_size, MPI_INT, &status);
    for (i = 0; i < parity_size; i++)
        sum += all[i];
    say("sum %d", sum);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread_shared(file, &number, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("read %d, sum %d", told(&status, MPI_INT), sum);
}

static void in_order(void)
{
    int numbers[8], i, count = parity_rank + 1;
    MPI_Status status;
    for (i = 0; i < 8; i++)
        numbers[i] = 100 * parity_rank + i;
    MPI_File_set_size(file, 0);
    MPI_File_seek_shared(file, 1, MPI_SEEK_SET);
    MPI_File_write_ordered(file, numbers, count, MPI_INT, &status);
    say("wrote %d", told(&status, MPI_INT));
    MPI_File_write_ordered(file, numbers + 7, 1, MPI_INT, &status);
    say_pointer("after writing in order");
    say_file("in order");
    MPI_File_seek_shared(file, -2, MPI_SEEK_END);
    say_pointer("two before the end");
    numbers[0] = -1;
    MPI_File_read_ordered(file, numbers, 1, MPI_INT, &status);
    say("read %d: %d", told(&status, MPI_INT), numbers[0]);
    say_pointer("past the end");
    MPI_File_seek_shared(file, -parity_size, MPI_SEEK_CUR);
    say_pointer("back");
}

static void split_in_order(void)
{
    int numbers[2] = {parity_rank + 40, parity_rank + 50}, back[2] = {0, 0};
    MPI_Status status;
    MPI_File_set_size(file, 0);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered_begin(file, numbers, 2, MPI_INT);
    MPI_File_write_ordered_end(file, numbers, &status);
    say("wrote %d", told(&status, MPI_INT));
    say_file("split");
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, back, 2, MPI_INT);
    MPI_File_read_ordered_end(file, back, &status);
    say_numbers("read", back, told(&status, MPI_INT));
    say_pointer("after reading");
}

/* Every rank has the same view, which skips every other int. */
static void through_a_view(void)
{
    int number = parity_rank + 60;
    MPI_Datatype other;
    MPI_Status status;
    MPI_Type_create_resized(MPI_INT, 0, 8, &other);
    MPI_Type_commit(&other);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 4, MPI_INT, other, "native", MPI_INFO_NULL);
    say_pointer("a new view");
    MPI_File_write_ordered(file, &number, 1, MPI_INT, &status);
    say_file("every other");
    say_pointer("then");
    MPI_Type_free(&other);
}

/* A file that is read from its beginning to its end, by whoever wants. */
static void sequential(void)
{
    int number = -1;
    MPI_Status status;
    MPI_File_open(MPI_COMM_WORLD, file_name,
        MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_read_ordered(file, &number, 1, MPI_INT, &status);
    say("int %d", number);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_ordered(file, &number, 1, MPI_INT, &status);
    say("next int %d", number);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    name_file();
    MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    in_turn();
    in_any_order();
    in_order();
    split_in_order();
    through_a_view();
    MPI_File_close(&file);
    sequential();
    parity_end();
    return 0;
}
