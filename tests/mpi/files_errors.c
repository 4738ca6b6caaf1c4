/* ranks: 1 2 */
/* check: leak */
/* Errors of calls on files, and who hears of them. */
#include "parity_files.h"

static MPI_File file;
static int heard;

static void listener(MPI_File *about, int *error, ...)
{
    heard++;
    say("heard of %s, about the file: %d", error_name(*error), *about == file);
}

static int opened(int mode)
{
    return MPI_File_open(MPI_COMM_WORLD, file_name, mode, MPI_INFO_NULL, &file);
}

static void opening(void)
{
    say("missing: %s", error_name(opened(MPI_MODE_RDONLY)));
    say("no way: %s", error_name(opened(MPI_MODE_CREATE)));
    say("two ways: %s", error_name(opened(MPI_MODE_RDONLY | MPI_MODE_WRONLY)));
    say("made to be read: %s", error_name(opened(MPI_MODE_RDONLY | MPI_MODE_CREATE)));
    say("random and sequential: %s",
        error_name(opened(MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL)));
    say("made: %s", error_name(opened(MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL)));
    MPI_File_close(&file);
    say("made again: %s", error_name(opened(MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL)));
    if (parity_size > 1)
        say("different modes: %s",
            error_name(opened(parity_rank ? MPI_MODE_RDONLY : MPI_MODE_RDWR)));
    if (parity_rank == 0)
        say("delete what is not there: %s",
            error_name(MPI_File_delete("/nowhere/at/all", MPI_INFO_NULL)));
}

static void directions(void)
{
    int number = 1;
    MPI_Status status;
    opened(MPI_MODE_RDONLY);
    say("write: %s", error_name(MPI_File_write(file, &number, 1, MPI_INT, &status)));
    say("write at: %s", error_name(MPI_File_write_at(file, 0, &number, 1, MPI_INT, &status)));
    say("size: %s", error_name(MPI_File_set_size(file, 10)));
    MPI_File_close(&file);
    opened(MPI_MODE_WRONLY);
    say("read: %s", error_name(MPI_File_read(file, &number, 1, MPI_INT, &status)));
    say("read all: %s", error_name(MPI_File_read_all(file, &number, 1, MPI_INT, &status)));
    MPI_File_close(&file);
    opened(MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    say("at an offset: %s", error_name(MPI_File_write_at(file, 0, &number, 1, MPI_INT, &status)));
    say("at the pointer: %s", error_name(MPI_File_write(file, &number, 1, MPI_INT, &status)));
    say("seek: %s", error_name(MPI_File_seek(file, 0, MPI_SEEK_SET)));
    MPI_File_close(&file);
}

static void arguments(void)
{
    int number = 1;
    char letters[5];
    MPI_Status status;
    opened(MPI_MODE_RDWR);
    say("negative offset: %s", error_name(MPI_File_read_at(file, -4, &number, 1, MPI_INT, &status)));
    say("negative count: %s", error_name(MPI_File_write(file, &number, -1, MPI_INT, &status)));
    say("no datatype: %s", error_name(MPI_File_read(file, &number, 1, MPI_DATATYPE_NULL, &status)));
    say("before the beginning: %s", error_name(MPI_File_seek(file, -1, MPI_SEEK_SET)));
    say("from nowhere: %s", error_name(MPI_File_seek(file, 0, 12345)));
    say("negative size: %s", error_name(MPI_File_set_size(file, -1)));
    say("representation: %s",
        error_name(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "morse", MPI_INFO_NULL)));
    say("view from before: %s",
        error_name(MPI_File_set_view(file, -8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)));
    say("half an etype: %s",
        error_name(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL)));
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    say("five bytes of ints: %s", error_name(MPI_File_write(file, letters, 5, MPI_CHAR, &status)));
    say("end of nothing: %s", error_name(MPI_File_read_all_end(file, &number, &status)));
    MPI_File_close(&file);
}

static void handlers(void)
{
    int number = 0, error;
    MPI_Errhandler handler, found;
    MPI_Status status;
    MPI_File_get_errhandler(MPI_FILE_NULL, &found);
    say("at first errors return: %d", found == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&found);
    opened(MPI_MODE_WRONLY);
    MPI_File_get_errhandler(file, &found);
    say("also those of files: %d", found == MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&found);
    MPI_File_create_errhandler(listener, &handler);
    MPI_File_set_errhandler(file, handler);
    error = MPI_File_read(file, &number, 1, MPI_INT, &status);
    say("returned %s", error_name(error));
    MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE);
    MPI_File_close(&file);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    opened(MPI_MODE_WRONLY);
    MPI_File_read(file, &number, 1, MPI_INT, &status);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_SELF, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    say("heard %d times", heard);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (parity_rank == 0)
        MPI_File_delete(file_name, MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    name_file();
    opening();
    directions();
    arguments();
    handlers();
    parity_end();
    return 0;
}
