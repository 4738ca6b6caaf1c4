/* ranks: 1 2 */
/* Every access to a file in its form for large counts. */
#include "parity_files.h"

#if MPI_VERSION >= 4
static MPI_File file;
static int out[2], in[2];

static void fill(int value)
{
    out[0] = 100 * (parity_rank + 1) + value;
    out[1] = out[0] + 1;
    in[0] = in[1] = -1;
}

#define OUT out, 2, MPI_INT
#define IN in, 2, MPI_INT
#define IGNORED MPI_STATUS_IGNORE

/* Goes to the rank's own two numbers. */
static void back(void)
{
    MPI_File_seek(file, 2 * parity_rank, MPI_SEEK_SET);
}

static void shared_back(void)
{
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
}

#define WROTE(name, ...) (__VA_ARGS__, say_file(name))
#define READ(name, ...) (__VA_ARGS__, say_numbers(name, in, 2))

static void blocking(void)
{
    MPI_Offset place = 2 * parity_rank;
    fill(10), back();
    WROTE("write", MPI_File_write_c(file, OUT, IGNORED));
    fill(11), back();
    READ("read", MPI_File_read_c(file, IN, IGNORED));
    fill(12), back();
    WROTE("write all", MPI_File_write_all_c(file, OUT, IGNORED));
    fill(13), back();
    READ("read all", MPI_File_read_all_c(file, IN, IGNORED));
    fill(14);
    WROTE("write at", MPI_File_write_at_c(file, place, OUT, IGNORED));
    fill(15);
    READ("read at", MPI_File_read_at_c(file, place, IN, IGNORED));
    fill(16);
    WROTE("write at all", MPI_File_write_at_all_c(file, place, OUT, IGNORED));
    fill(17);
    READ("read at all", MPI_File_read_at_all_c(file, place, IN, IGNORED));
    fill(18), shared_back();
    WROTE("write ordered", MPI_File_write_ordered_c(file, OUT, IGNORED));
    fill(19), shared_back();
    READ("read ordered", MPI_File_read_ordered_c(file, IN, IGNORED));
    fill(20);
    WROTE("as before", MPI_File_write_at_all(file, place, OUT, IGNORED));
}

static void split(void)
{
    MPI_Offset place = 2 * parity_rank;
    fill(30), back();
    MPI_File_write_all_begin_c(file, OUT);
    WROTE("write all", MPI_File_write_all_end(file, out, IGNORED));
    fill(31), back();
    MPI_File_read_all_begin_c(file, IN);
    READ("read all", MPI_File_read_all_end(file, in, IGNORED));
    fill(32);
    MPI_File_write_at_all_begin_c(file, place, OUT);
    WROTE("write at all", MPI_File_write_at_all_end(file, out, IGNORED));
    fill(33);
    MPI_File_read_at_all_begin_c(file, place, IN);
    READ("read at all", MPI_File_read_at_all_end(file, in, IGNORED));
    fill(34), shared_back();
    MPI_File_write_ordered_begin_c(file, OUT);
    WROTE("write ordered", MPI_File_write_ordered_end(file, out, IGNORED));
    fill(35), shared_back();
    MPI_File_read_ordered_begin_c(file, IN);
    READ("read ordered", MPI_File_read_ordered_end(file, in, IGNORED));
}

static void later(void)
{
    MPI_Offset place = 2 * parity_rank;
    MPI_Request request;
#define DONE MPI_Wait(&request, MPI_STATUS_IGNORE)
    fill(50), back();
    WROTE("iwrite", MPI_File_iwrite_c(file, OUT, &request), DONE);
    fill(51), back();
    READ("iread", MPI_File_iread_c(file, IN, &request), DONE);
    fill(52), back();
    WROTE("iwrite all", MPI_File_iwrite_all_c(file, OUT, &request), DONE);
    fill(53), back();
    READ("iread all", MPI_File_iread_all_c(file, IN, &request), DONE);
    fill(54);
    WROTE("iwrite at", MPI_File_iwrite_at_c(file, place, OUT, &request), DONE);
    fill(55);
    READ("iread at", MPI_File_iread_at_c(file, place, IN, &request), DONE);
    fill(56);
    WROTE("iwrite at all", MPI_File_iwrite_at_all_c(file, place, OUT, &request), DONE);
    fill(57);
    READ("iread at all", MPI_File_iread_at_all_c(file, place, IN, &request), DONE);
}

/* Which rank comes first is not told, so one goes after the other. */
static void one_by_one(void)
{
    MPI_Request request;
    for (int turn = 0; turn < parity_size; turn++) {
        shared_back();
        fill(70);
        if (turn == parity_rank) {
            MPI_File_write_shared_c(file, OUT, IGNORED);
            MPI_File_iwrite_shared_c(file, OUT, &request);
            DONE;
        }
        say_file("shared");
        shared_back();
        if (turn == parity_rank) {
            MPI_File_read_shared_c(file, IN, IGNORED);
            MPI_File_iread_shared_c(file, IN, &request);
            DONE;
            say_numbers("read shared", in, 2);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Count extent;
    MPI_Info info;
    parity_begin(&argc, &argv);
    name_file();
    MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR |
                  MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    blocking();
    split();
    later();
    one_by_one();
    MPI_File_get_type_extent_c(file, MPI_INT, &extent);
    say("extent: %d", (int)extent);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "4096");
    say("info set: %d", MPI_File_set_info(file, info) == MPI_SUCCESS);
    MPI_Info_free(&info);
    MPI_File_close(&file);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
