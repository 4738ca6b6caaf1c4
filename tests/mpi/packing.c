/* ranks: 1 2 */
/* Pack and unpack, in the machine's own form and in external32, byte for byte. */
#include "parity.h"

static void say_bytes(const char *name, const unsigned char *bytes, long count)
{
    char line[512];
    int length = snprintf(line, sizeof line, "%s:", name);
    for (long i = 0; i < count && length < 500; i++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %02x", bytes[i]);
    say("%s", line);
}

static void external(void)
{
    unsigned char buffer[256];
    MPI_Aint place = 0, size, back = 0;
    int ints[3] = {1, -2, 0x01020304}, ints_back[3];
    double numbers[2] = {1.0, -0.1}, numbers_back[2];
    long wide = 0x0102030405060708L, wide_back;
    short small = -3, small_back;
    char text[4] = "abc", text_back[4];
    MPI_Pack_external_size("external32", 3, MPI_INT, &size);
    say("external size of three ints: %ld", (long)size);
    MPI_Pack_external_size("external32", 2, MPI_LONG, &size);
    say("external size of two longs: %ld", (long)size);
    MPI_Pack_external("external32", ints, 3, MPI_INT, buffer, sizeof buffer, &place);
    MPI_Pack_external("external32", numbers, 2, MPI_DOUBLE, buffer, sizeof buffer, &place);
    MPI_Pack_external("external32", &wide, 1, MPI_LONG, buffer, sizeof buffer, &place);
    MPI_Pack_external("external32", &small, 1, MPI_SHORT, buffer, sizeof buffer, &place);
    MPI_Pack_external("external32", text, 4, MPI_CHAR, buffer, sizeof buffer, &place);
    say_bytes("external32", buffer, (long)place);
    MPI_Unpack_external("external32", buffer, place, &back, ints_back, 3, MPI_INT);
    MPI_Unpack_external("external32", buffer, place, &back, numbers_back, 2, MPI_DOUBLE);
    MPI_Unpack_external("external32", buffer, place, &back, &wide_back, 1, MPI_LONG);
    MPI_Unpack_external("external32", buffer, place, &back, &small_back, 1, MPI_SHORT);
    MPI_Unpack_external("external32", buffer, place, &back, text_back, 4, MPI_CHAR);
    say_numbers("ints", ints_back, 3);
    say("others: %.2f %.2f %lx %d %s", numbers_back[0], numbers_back[1], wide_back, small_back, text_back);
}

static void own_form(void)
{
    char buffer[256];
    int place = 0, back = 0, size, matrix[4][4], column[4], count = 4, inner;
    double number = 2.25, number_back;
    MPI_Datatype column_type;
    MPI_Status status;
    for (int i = 0; i < 16; i++)
        matrix[i / 4][i % 4] = i;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column_type);
    MPI_Type_commit(&column_type);
    MPI_Pack(&count, 1, MPI_INT, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
    MPI_Pack(&matrix[0][2], 1, column_type, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
    MPI_Pack(&number, 1, MPI_DOUBLE, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(buffer, sizeof buffer, MPI_PACKED, (parity_rank + 1) % parity_size, 0,
                         (parity_rank + 1) % parity_size, 0, MPI_COMM_WORLD, &status);
    MPI_Unpack(buffer, sizeof buffer, &back, &inner, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buffer, sizeof buffer, &back, column, inner, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buffer, sizeof buffer, &back, &number_back, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    say_numbers("column", column, inner);
    say("number %.2f, packed %d, unpacked %d", number_back, place, back);
    MPI_Pack_size(3, column_type, MPI_COMM_WORLD, &size);
    say("enough room: %d", size >= 48);
    MPI_Type_free(&column_type);
}

int main(int argc, char **argv)
{
    parity_begin(&argc, &argv);
    external();
    own_form();
    parity_end();
    return 0;
}
