/* ranks: 1 2 */
/* Info objects: keys, values, order, copies, and what communicators and windows keep of them. */
#include "parity.h"

static void list(const char *name, MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[64];
    int count, length, flag;
    MPI_Info_get_nkeys(info, &count);
    say("%s has %d", name, count);
    for (int i = 0; i < count; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get_valuelen(info, key, &length, &flag);
        MPI_Info_get(info, key, (int)sizeof value - 1, value, &flag);
        say("  %s = '%s', %d characters, found %d", key, value, length, flag);
    }
}

int main(int argc, char **argv)
{
    MPI_Info info, copy;
    char value[32], key[MPI_MAX_INFO_KEY];
    int flag, error, length;
    parity_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    list("a new one", info);
    MPI_Info_set(info, "colour", "blue");
    MPI_Info_set(info, "Colour", "green");
    MPI_Info_set(info, "shape", "a long word with  spaces inside");
    MPI_Info_set(info, "colour", "red");
    list("filled", info);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(copy, "Colour");
    MPI_Info_set(copy, "size", "9");
    list("the copy", copy);
    list("the first", info);
    strcpy(value, "unchanged");
    MPI_Info_get(info, "nothing", 31, value, &flag);
    say("missing: found %d, value '%s'", flag, value);
    MPI_Info_get(info, "shape", 6, value, &flag);
    say("cut: found %d, value '%s'", flag, value);
    length = 0;
    MPI_Info_get_string(info, "shape", &length, value, &flag);
    say("room needed: %d, found %d", length, flag);
    length = 8;
    MPI_Info_get_string(info, "shape", &length, value, &flag);
    say("with room for 8: '%s', needed %d", value, length);
    error = MPI_Info_delete(info, "nothing");
    say("delete what is not there: %s", error_name(error));
    memset(key, 'k', sizeof key);
    key[MPI_MAX_INFO_KEY - 1] = 0;
    error = MPI_Info_set(info, key, "v");
    say("the longest key: %s", error_name(error));
    error = MPI_Info_set(info, "", "v");
    say("an empty key: %s", error_name(error));
    error = MPI_Info_get_nthkey(info, 99, key);
    say("key 99: %d", error != MPI_SUCCESS);
    MPI_Info_free(&copy);
    MPI_Info_free(&info);
    say("freed: %d", info == MPI_INFO_NULL);
    parity_end();
    return 0;
}
