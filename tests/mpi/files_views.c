/* ranks: 1 2 4 */
/* Explicit offsets and individual pointers, through views of many shapes. */
#include "parity_files.h"

static MPI_File file;

static void open_file(int mode)
{
    int error = MPI_File_open(MPI_COMM_WORLD, file_name, mode, MPI_INFO_NULL, &file);
    if (error)
        say("cannot open: %s", error_name(error));
}

static void say_size(void)
{
    MPI_Offset size, here;
    MPI_File_get_size(file, &size);
    MPI_File_get_position(file, &here);
    say("size %lld, position %lld", (long long)size, (long long)here);
}

static void explicit_offsets(void)
{
    int numbers[4], i, mode;
    MPI_Status status;
    MPI_Group group;
    for (i = 0; i < 4; i++)
        numbers[i] = 100 * parity_rank + i;
    open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_write_at(file, 16 * parity_rank, numbers, 4, MPI_INT, &status);
    say("wrote %d", told(&status, MPI_INT));
    say_file("explicit");
    memset(numbers, 0, sizeof numbers);
    MPI_File_read_at_all(file, 16 * ((parity_rank + 1) % parity_size), numbers, 4, MPI_INT, &status);
    say_numbers("of the next rank", numbers, told(&status, MPI_INT));
    MPI_File_read_at(file, 16 * parity_size - 8, numbers, 4, MPI_INT, &status);
    say("at the end: %d ints, %d bytes", told(&status, MPI_INT), told(&status, MPI_BYTE));
    MPI_File_read_at(file, 16 * parity_size, numbers, 4, MPI_INT, &status);
    say("behind it: %d", told(&status, MPI_INT));
    say_size();
    MPI_File_get_amode(file, &mode);
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &i);
    say("mode as given: %d, group as large: %d", mode == (MPI_MODE_CREATE | MPI_MODE_RDWR),
        i == parity_size);
    MPI_Group_free(&group);
    MPI_File_close(&file);
    say("closed: %d", file == MPI_FILE_NULL);
}

static void pointers(void)
{
    int numbers[3] = {parity_rank, parity_rank + 10, parity_rank + 20};
    MPI_Offset where;
    MPI_Status status;
    open_file(MPI_MODE_RDWR);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_seek(file, 3 * parity_rank, MPI_SEEK_SET);
    MPI_File_write(file, numbers, 2, MPI_INT, &status);
    MPI_File_write_all(file, numbers + 2, 1, MPI_INT, &status);
    say_file("pointers");
    say_size();
    MPI_File_seek(file, -3, MPI_SEEK_CUR);
    MPI_File_read_all(file, numbers, 3, MPI_INT, &status);
    say_numbers("read back", numbers, told(&status, MPI_INT));
    MPI_File_seek(file, -1, MPI_SEEK_END);
    say_size();
    MPI_File_read(file, numbers, 2, MPI_INT, &status);
    say("last: %d of %d", numbers[0], told(&status, MPI_INT));
    say_size();
    MPI_File_get_byte_offset(file, 7, &where);
    say("byte of the eighth int: %lld", (long long)where);
    MPI_File_close(&file);
}

/* Each rank sees one int of `parity_size`, in two blocks of its memory. */
static void interleaved(void)
{
    int numbers[12], i;
    MPI_Datatype every, blocks, etype, filetype;
    MPI_Offset start, where;
    MPI_Status status;
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_Aint lower, extent;
    MPI_Type_create_resized(MPI_INT, 0, 4 * parity_size, &every);
    MPI_Type_vector(2, 3, 6, MPI_INT, &blocks);
    MPI_Type_commit(&every);
    MPI_Type_commit(&blocks);
    for (i = 0; i < 12; i++)
        numbers[i] = 1000 * (parity_rank + 1) + i;
    open_file(MPI_MODE_RDWR);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 4 * parity_rank, MPI_INT, every, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, 1, blocks, &status);
    say("wrote %d blocks, %d ints", told(&status, blocks), told(&status, MPI_INT));
    say_file("interleaved");
    MPI_File_get_view(file, &start, &etype, &filetype, representation);
    MPI_Type_get_extent(filetype, &lower, &extent);
    say("view from %lld, extent in ranks %d, %s, etype an int: %d", (long long)start,
        (int)extent / (4 * parity_size), representation, etype == MPI_INT);
    MPI_Type_free(&filetype);
    MPI_File_get_byte_offset(file, 5, &where);
    say("byte of the sixth: %lld", (long long)where);
    memset(numbers, 0, sizeof numbers);
    MPI_File_read_at(file, 0, numbers, 1, blocks, &status);
    say_numbers("read back", numbers, 12);
    say("%d ints of them", told(&status, MPI_INT));
    MPI_File_seek(file, 0, MPI_SEEK_END);
    say_size();
    MPI_File_close(&file);
    MPI_Type_free(&every);
    MPI_Type_free(&blocks);
}

/* A matrix of 4 rows of 2 columns for each rank, distributed by columns. */
static void matrices(void)
{
    int sizes[2] = {4, 2 * parity_size}, part[2] = {4, 2}, start[2] = {0, 2 * parity_rank};
    int numbers[8], i, one[2], way[2], arguments[2];
    MPI_Datatype columns, rows;
    MPI_Status status;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &columns);
    MPI_Type_commit(&columns);
    for (i = 0; i < 8; i++)
        numbers[i] = 10 * parity_rank + i;
    open_file(MPI_MODE_RDWR | MPI_MODE_CREATE);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 0, MPI_INT, columns, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, 8, MPI_INT, &status);
    say_file("columns");
    one[0] = parity_size, one[1] = 1;
    way[0] = MPI_DISTRIBUTE_CYCLIC, way[1] = MPI_DISTRIBUTE_BLOCK;
    arguments[0] = arguments[1] = MPI_DISTRIBUTE_DFLT_DARG;
    sizes[0] = 8, sizes[1] = parity_size;
    MPI_Type_create_darray(parity_size, parity_rank, 2, sizes, way, arguments, one, MPI_ORDER_C,
        MPI_INT, &rows);
    MPI_Type_commit(&rows);
    MPI_File_set_view(file, 0, MPI_INT, rows, "internal", MPI_INFO_NULL);
    memset(numbers, 0, sizeof numbers);
    MPI_File_read_all(file, numbers, 8, MPI_INT, &status);
    say_numbers("rows, dealt out", numbers, told(&status, MPI_INT));
    MPI_File_close(&file);
    MPI_Type_free(&columns);
    MPI_Type_free(&rows);
}

/* Two basic types in one etype; half of an etype cannot be reached. */
static void structures(void)
{
    struct pair {
        double value;
        int number;
    } pairs[2] = {{parity_rank + 0.5, parity_rank}, {-parity_rank, 7}};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8}, extent;
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, pair, packed;
    MPI_Status status;
    MPI_Type_create_struct(2, lengths, places, types, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_resized(pair, 0, 12, &packed);
    MPI_Type_commit(&packed);
    open_file(MPI_MODE_RDWR);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 24 * parity_rank, packed, packed, "native", MPI_INFO_NULL);
    MPI_File_write(file, pairs, 2, pair, &status);
    MPI_File_get_type_extent(file, pair, &extent);
    say("wrote %d pairs, extent in the file %d", told(&status, pair), (int)extent);
    memset(pairs, 0, sizeof pairs);
    MPI_File_read_at_all(file, 1, pairs, 1, pair, &status);
    say("second: %g %d", pairs[0].value, pairs[0].number);
    MPI_Barrier(MPI_COMM_WORLD);
    say_size();
    MPI_File_close(&file);
    MPI_Type_free(&pair);
    MPI_Type_free(&packed);
}

/* The portable representation turns numbers around, whatever the computer has. */
static void portable(void)
{
    short numbers[2] = {258, (short)(-2 - parity_rank)}, back[2] = {0, 0};
    unsigned char bytes[4] = {0, 0, 0, 0};
    MPI_Aint extent;
    MPI_Status status;
    open_file(MPI_MODE_RDWR);
    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 4 * parity_rank, MPI_SHORT, MPI_SHORT, "external32", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, 2, MPI_SHORT, &status);
    MPI_File_get_type_extent(file, MPI_SHORT, &extent);
    say("extent of a short: %d", (int)extent);
    MPI_File_read_at_all(file, 0, back, 2, MPI_SHORT, &status);
    say("portable: %d %d", back[0], back[1]);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 4 * parity_rank, bytes, 4, MPI_BYTE, &status);
    say("bytes: %d %d %d %d", bytes[0], bytes[1], bytes[2], bytes[3]);
    MPI_File_close(&file);
}

static void modes(void)
{
    int number = 9, flag;
    MPI_Offset size;
    MPI_Status status;
    open_file(MPI_MODE_RDWR);
    MPI_File_set_size(file, 10);
    MPI_File_preallocate(file, 100);
    say_size();
    MPI_File_preallocate(file, 50);
    say_size();
    MPI_File_set_size(file, 6);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    say("atomic: %d", flag);
    MPI_File_sync(file);
    MPI_File_close(&file);
    open_file(MPI_MODE_WRONLY | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE);
    say_size();
    MPI_Barrier(MPI_COMM_WORLD);
    if (parity_rank == 0)
        MPI_File_write(file, &number, 1, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    say("then %lld bytes", (long long)size);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    say("deleted: %d", access(file_name, F_OK) != 0);
}

static void hints(void)
{
    MPI_Info info, used;
    char value[MPI_MAX_INFO_VAL + 1];
    int flag;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "65536");
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    MPI_Info_free(&info);
    MPI_File_get_info(file, &used);
    MPI_Info_get(used, "cb_buffer_size", MPI_MAX_INFO_VAL, value, &flag);
    say("buffer: %s", flag ? value : "unknown");
    MPI_Info_get(used, "cb_nodes", MPI_MAX_INFO_VAL, value, &flag);
    say("nodes: %s", flag ? value : "unknown");
    MPI_Info_get(used, "ind_rd_buffer_size", MPI_MAX_INFO_VAL, value, &flag);
    say("reading: %s", flag ? value : "unknown");
    MPI_Info_free(&used);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (parity_rank == 0)
        say("delete: %s", error_name(MPI_File_delete(file_name, MPI_INFO_NULL)));
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    name_file();
    explicit_offsets();
    pointers();
    interleaved();
    matrices();
    structures();
    portable();
    modes();
    hints();
    parity_end();
    return 0;
}
