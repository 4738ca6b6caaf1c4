/* ranks: 1 3 */
/* check: leak */
/* Attributes: when their callbacks run, in which order, and what they may refuse. */
#include "parity.h"

static int copied(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    (void)comm;
    (void)key;
    say("copy %s of %ld", (const char *)extra, (long)(MPI_Aint)value);
    *(void **)out = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int withheld(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)out;
    (void)extra; /* says nothing: the order of copying is the library's choice */
    *flag = 0;
    return MPI_SUCCESS;
}

static int deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    say("delete %s of %ld", (const char *)extra, (long)(MPI_Aint)value);
    return MPI_SUCCESS;
}

static int kept(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    say("delete of %s refused", (const char *)extra);
    return MPI_ERR_OTHER;
}

static int at_the_end(MPI_Comm comm, int key, void *value, void *extra)
{
    int finalized;
    (void)comm;
    (void)key;
    (void)value;
    MPI_Finalized(&finalized);
    if (parity_rank == 0) {
        printf("at the end: %s, finalized %d\n", (const char *)extra, finalized);
        fflush(stdout);
    }
    return MPI_SUCCESS;
}

static void of_communicators(void)
{
    int first, second, third, stubborn, flag, error;
    void *value;
    MPI_Comm copy, again;
    MPI_Comm_create_keyval(copied, deleted, &first, "first");
    MPI_Comm_create_keyval(withheld, deleted, &second, "second");
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &third, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, kept, &stubborn, "stubborn");
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_attr(copy, first, (void *)10);
    MPI_Comm_set_attr(copy, second, (void *)20);
    MPI_Comm_set_attr(copy, third, (void *)30);
    MPI_Comm_dup(copy, &again);
    MPI_Comm_get_attr(again, first, &value, &flag);
    say("first in the copy: %d, %ld", flag, flag ? (long)(MPI_Aint)value : -1L);
    MPI_Comm_get_attr(again, second, &value, &flag);
    say("second in the copy: %d", flag);
    MPI_Comm_get_attr(again, third, &value, &flag);
    say("third in the copy: %d, %ld", flag, flag ? (long)(MPI_Aint)value : -1L);
    MPI_Comm_set_attr(again, first, (void *)50); /* deletes the old value */
    MPI_Comm_delete_attr(again, first);
    MPI_Comm_get_attr(again, first, &value, &flag);
    say("after deleting: %d", flag);
    MPI_Comm_set_errhandler(again, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(again, stubborn, (void *)40);
    error = MPI_Comm_delete_attr(again, stubborn);
    say("deleting the stubborn one: %s", error == MPI_SUCCESS ? "done" : "refused");
    MPI_Comm_free_keyval(&first);
    say("keyval: %s", first == MPI_KEYVAL_INVALID ? "invalid" : "wrong");
    MPI_Comm_free(&copy); /* its values go in the opposite order of their setting */
    MPI_Comm_free_keyval(&second);
    MPI_Comm_free_keyval(&third);
}

static int type_copied(MPI_Datatype type, int key, void *extra, void *value, void *out, int *flag)
{
    (void)type;
    (void)key;
    (void)extra;
    *(void **)out = (char *)value + 94;
    *flag = 1;
    return MPI_SUCCESS;
}

static void of_types(void)
{
    int key, flag;
    void *value;
    MPI_Datatype type, copy;
    MPI_Type_create_keyval(type_copied, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, (void *)5);
    MPI_Type_dup(type, &copy);
    MPI_Type_get_attr(copy, key, &value, &flag);
    say("of a type: %d %ld", flag, (long)(MPI_Aint)value);
    MPI_Type_free(&type);
    MPI_Type_free(&copy);
    MPI_Type_free_keyval(&key);
}

static void predefined(void)
{
    int flag, *value;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    say("tags up to: %d, %d", flag, *value >= 32767);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
    say("clock: %d", flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
    say("files: %d", flag);
}

int main(int argc, char **argv)
{
    int keys[3];
    const char *names[3] = {"one", "two", "three"};
    parity_begin(&argc, &argv);
    of_communicators();
    of_types();
    predefined();
    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &keys[i], (void *)names[i]);
        MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], NULL);
    }
    parity_end();
    return 0;
}
