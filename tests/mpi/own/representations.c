/* ranks: 1 3 */
/* Data representations of the program, and the portable one where it changes sizes. */
#include "../parity_files.h"
#include <assert.h>

/* What the functions of the program were given. */
static int extents, reads, writes, state;

/* Ints take three bytes in the file, everything else as many as in memory. */
static int extent_in_file(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    int size;
    assert(extra == &state);
    MPI_Type_size(type, &size);
    *extent = type == MPI_INT ? 3 : size;
    extents++;
    return MPI_SUCCESS;
}

/* Where the ints of so many elements are: all datatypes here are ints, or every other int. */
static int *element(void *memory, MPI_Datatype type, int index)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return (int *)((char *)memory + index * extent);
}

static int write_three(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset place,
    void *extra)
{
    unsigned char *bytes = file;
    assert(extra == &state && place == 0);
    for (int i = 0; i < count; i++)
        for (int byte = 0; byte < 3; byte++)
            bytes[3 * i + byte] = (unsigned char)(*element(memory, type, i) >> (8 * byte));
    writes++;
    return MPI_SUCCESS;
}

static int read_three(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset place,
    void *extra)
{
    unsigned char *bytes = file;
    assert(extra == &state && place == 0);
    for (int i = 0; i < count; i++)
        *element(memory, type, i) =
            bytes[3 * i] | bytes[3 * i + 1] << 8 | bytes[3 * i + 2] << 16;
    reads++;
    return MPI_SUCCESS;
}

static int read_large(void *memory, MPI_Datatype type, MPI_Count count, void *file,
    MPI_Offset place, void *extra)
{
    return read_three(memory, type, (int)count, file, place, extra);
}

static int fails(void *memory, MPI_Datatype type, int count, void *file, MPI_Offset place,
    void *extra)
{
    (void)memory, (void)type, (void)count, (void)file, (void)place, (void)extra;
    return 77;
}

static MPI_File file;

static void registering(void)
{
    assert(!MPI_Register_datarep("three", read_three, write_three, extent_in_file, &state));
    assert(MPI_Register_datarep("three", read_three, write_three, extent_in_file, &state)
        == MPI_ERR_DUP_DATAREP);
    assert(MPI_Register_datarep("external32", 0, 0, extent_in_file, &state) == MPI_ERR_DUP_DATAREP);
    assert(MPI_Register_datarep("none", 0, 0, 0, 0) == MPI_ERR_ARG);
    assert(!MPI_Register_datarep_c("large", read_large, MPI_CONVERSION_FN_NULL_C, extent_in_file,
        &state));
    assert(!MPI_Register_datarep("fails", fails, fails, extent_in_file, &state));
}

/* Each rank has two ints, six bytes, of the file. */
static void converting(void)
{
    int numbers[4] = {70000 + parity_rank, -1, 5, -1}, back[4] = {0, 0, 0, 0}, count;
    MPI_Datatype pair, other;
    MPI_Aint extent;
    MPI_Offset size;
    MPI_Status status;
    MPI_Request request;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_resized(MPI_INT, 0, 8, &other);
    MPI_Type_commit(&other);
    assert(!MPI_File_set_view(file, 6 * parity_rank, MPI_INT, pair, "three", MPI_INFO_NULL));
    assert(extents > 0);
    MPI_File_get_type_extent(file, pair, &extent);
    assert(extent == 6);
    assert(!MPI_File_write(file, numbers, 2, other, &status));
    MPI_Get_count(&status, other, &count);
    assert(count == 2 && writes == 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    assert(size == 6 * parity_size);
    assert(!MPI_File_iread_at(file, 0, back, 2, MPI_INT, &request));
    MPI_Type_free(&other);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2 && reads == 1 && back[0] == 70000 + parity_rank && back[1] == 5);
    assert(!MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "large", MPI_INFO_NULL));
    assert(!MPI_File_read_at_all(file, 2 * parity_size - 1, back, 4, MPI_INT, &status));
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 1 && back[0] == 5 && reads == 2);
    /* Without a function nothing makes four bytes three. */
    assert(MPI_File_write_at(file, 0, back, 1, MPI_INT, &status) == MPI_ERR_CONVERSION);
    assert(!MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "fails", MPI_INFO_NULL));
    assert(MPI_File_read_at(file, 0, back, 1, MPI_INT, &status) == MPI_ERR_CONVERSION);
    MPI_Type_free(&pair);
}

/* Longs have four bytes in external32, and what counts in them moves with them. */
static void portable(void)
{
    long numbers[3] = {1, -2, 3 + parity_rank}, back[3] = {0, 0, 0};
    unsigned char bytes[4];
    MPI_Datatype every;
    MPI_Offset size, place;
    MPI_Status status;
    int count;
    MPI_File_set_size(file, 0);
    MPI_Type_vector(3, 1, parity_size, MPI_LONG, &every);
    MPI_Type_commit(&every);
    assert(!MPI_File_set_view(file, 4 * parity_rank, MPI_LONG, every, "external32", MPI_INFO_NULL));
    assert(!MPI_File_write_all(file, numbers, 3, MPI_LONG, &status));
    MPI_Get_count(&status, MPI_LONG, &count);
    assert(count == 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    assert(size == 12 * parity_size);
    MPI_File_get_byte_offset(file, 2, &place);
    assert(place == 4 * parity_rank + 8 * parity_size);
    assert(!MPI_File_read_at(file, 0, back, 3, MPI_LONG, &status));
    assert(back[0] == 1 && back[1] == -2 && back[2] == 3 + parity_rank);
    MPI_Get_count(&status, MPI_LONG, &count);
    assert(count == 3);
    assert(!MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "internal", MPI_INFO_NULL));
    MPI_File_read_at(file, 4 * parity_size, bytes, 4, MPI_BYTE, &status);
    assert(bytes[0] == 0xff && bytes[3] == 0xfe);
    MPI_Type_free(&every);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    name_file();
    registering();
    assert(!MPI_File_open(MPI_COMM_WORLD, file_name,
        MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    converting();
    portable();
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
