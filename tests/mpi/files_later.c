/* ranks: 1 2 4 */
/* Accesses that begin and end in different calls: non-blocking and split. */
#include "parity_files.h"

static MPI_File file;

static void alone(void)
{
    int numbers[4], back[4] = {0, 0, 0, 0}, i, flag = 0;
    MPI_Request requests[3];
    MPI_Status statuses[3], status;
    MPI_Offset where;
    for (i = 0; i < 4; i++)
        numbers[i] = 10 * parity_rank + i;
    MPI_File_iwrite_at(file, 4 * parity_rank, numbers, 2, MPI_INT, &requests[0]);
    MPI_File_seek(file, 4 * parity_rank + 2, MPI_SEEK_SET);
    MPI_File_iwrite(file, numbers + 2, 1, MPI_INT, &requests[1]);
    MPI_File_iwrite(file, numbers + 3, 1, MPI_INT, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    say("wrote %d %d %d, null: %d", told(&statuses[0], MPI_INT), told(&statuses[1], MPI_INT),
        told(&statuses[2], MPI_INT), requests[0] == MPI_REQUEST_NULL);
    MPI_File_get_position(file, &where);
    say("pointer %lld", (long long)where);
    say_file("non-blocking");
    MPI_File_iread_at(file, 4 * ((parity_rank + 1) % parity_size), back, 4, MPI_INT, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, &status);
    say_numbers("read", back, told(&status, MPI_INT));
    MPI_File_seek(file, -2, MPI_SEEK_END);
    MPI_File_iread(file, back, 4, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_File_get_position(file, &where);
    say("at the end %d: %d %d, pointer %lld", told(&status, MPI_INT), back[0], back[1],
        (long long)where);
    MPI_File_iwrite_at(file, 4 * parity_rank, numbers, 0, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &status);
    say("nothing: %d", told(&status, MPI_INT));
}

static void together(void)
{
    int numbers[2] = {parity_rank + 70, parity_rank + 80}, back[2] = {0, 0}, one = 0;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_File_iwrite_at_all(file, parity_rank, numbers, 1, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    MPI_File_seek(file, parity_size + parity_rank, MPI_SEEK_SET);
    MPI_File_iwrite_all(file, numbers + 1, 1, MPI_INT, &requests[1]);
    MPI_Wait(&requests[1], &statuses[1]);
    say("wrote %d %d", told(&statuses[0], MPI_INT), told(&statuses[1], MPI_INT));
    say_file("together");
    MPI_File_iread_at_all(file, parity_size - parity_rank - 1, back, 2, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    MPI_File_seek(file, parity_rank, MPI_SEEK_SET);
    MPI_File_iread_all(file, &one, 1, MPI_INT, &requests[1]);
    MPI_Wait(&requests[1], &statuses[1]);
    say("read %d %d and %d", back[0], back[1], one);
}

static void split(void)
{
    int numbers[2] = {parity_rank + 1, parity_rank + 2}, back[2] = {0, 0}, sum;
    MPI_Status status;
    MPI_File_write_at_all_begin(file, 2 * parity_rank, numbers, 2, MPI_INT);
    MPI_Allreduce(numbers, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_write_at_all_end(file, numbers, &status);
    say("wrote %d meanwhile %d", told(&status, MPI_INT), sum);
    say_file("split");
    MPI_File_read_at_all_begin(file, parity_rank, back, 2, MPI_INT);
    MPI_File_read_at_all_end(file, back, &status);
    say_numbers("read", back, told(&status, MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, parity_size - parity_rank - 1, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, numbers, 1, MPI_INT);
    MPI_File_write_all_end(file, numbers, &status);
    say_file("split, at pointers");
    MPI_File_seek(file, -1, MPI_SEEK_CUR);
    MPI_File_read_all_begin(file, back, 1, MPI_INT);
    MPI_File_read_all_end(file, back, &status);
    say("read %d: %d", told(&status, MPI_INT), back[0]);
}

/* Columns of a matrix, into every other int of memory. */
static void with_holes(void)
{
    int numbers[8], i;
    MPI_Datatype column, other;
    MPI_Request request;
    MPI_Status status;
    MPI_Type_create_resized(MPI_INT, 0, 4 * parity_size, &column);
    MPI_Type_vector(4, 1, 2, MPI_INT, &other);
    MPI_Type_commit(&column);
    MPI_Type_commit(&other);
    for (i = 0; i < 8; i++)
        numbers[i] = 10 * (parity_rank + 1) + i;
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 4 * parity_rank, MPI_INT, column, "native", MPI_INFO_NULL);
    MPI_File_iwrite(file, numbers, 1, other, &request);
    MPI_Type_free(&other);
    MPI_Wait(&request, &status);
    say("wrote %d", told(&status, MPI_INT));
    say_file("with holes");
    MPI_Type_vector(2, 1, 3, MPI_INT, &other);
    MPI_Type_commit(&other);
    memset(numbers, 0, sizeof numbers);
    MPI_File_iread_at(file, 1, numbers, 1, other, &request);
    MPI_Type_free(&other);
    MPI_Wait(&request, &status);
    say_numbers("read", numbers, 4);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    name_file();
    MPI_File_open(MPI_COMM_WORLD, file_name,
        MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    alone();
    MPI_Barrier(MPI_COMM_WORLD);
    together();
    MPI_Barrier(MPI_COMM_WORLD);
    split();
    MPI_Barrier(MPI_COMM_WORLD);
    with_holes();
    MPI_File_close(&file);
    parity_end();
    return 0;
}
