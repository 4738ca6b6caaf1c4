/* ranks: 1 3 */
/* The tool interface: what is listed can be found, read, and is in a category; what is not there
 * is refused with the right code. Libraries differ in what they list, so only mistakes count. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mistakes;

static void expect(int holds, const char *what)
{
    if (!holds) {
        mistakes++;
        printf("mistake: %s\n", what);
    }
}

static void controls(void)
{
    int count, index, scope, bind, verbosity;
    MPI_T_cvar_get_num(&count);
    expect(count > 0, "there are control variables");
    for (int i = 0; i < count; i++) {
        char name[256], cut[4];
        int length = sizeof name, short_length = sizeof cut, elements, bytes;
        MPI_Datatype datatype;
        MPI_T_enum enumeration;
        MPI_T_cvar_handle handle;
        MPI_T_cvar_get_info(i, name, &length, &verbosity, &datatype, &enumeration, NULL, NULL,
                            &bind, &scope);
        expect(length == (int)strlen(name) + 1, "the length of a name");
        MPI_T_cvar_get_info(i, cut, &short_length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        expect(strncmp(cut, name, 3) == 0 && cut[3] == 0, "a name cut to the room there is");
        expect(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS && index == i, "found by its name");
        if (bind != MPI_T_BIND_NO_OBJECT)
            continue;
        MPI_T_cvar_handle_alloc(i, NULL, &handle, &elements);
        MPI_Type_size(datatype, &bytes);
        char *value = calloc(elements + 1, bytes);
        expect(MPI_T_cvar_read(handle, value) == MPI_SUCCESS, "a control variable is read");
        free(value);
        MPI_T_cvar_handle_free(&handle);
        expect(handle == MPI_T_CVAR_HANDLE_NULL, "a freed handle is null");
    }
    expect(MPI_T_cvar_get_index("no such variable", &index) == MPI_T_ERR_INVALID_NAME, "no name");
    expect(MPI_T_cvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
               MPI_T_ERR_INVALID_INDEX, "no index");
}

static void performances(void)
{
    int count, index;
    MPI_T_pvar_session session;
    MPI_T_pvar_get_num(&count);
    MPI_T_pvar_session_create(&session);
    for (int i = 0; i < count; i++) {
        char name[256];
        int length = sizeof name, class, bind, readonly, continuous, atomic;
        MPI_Datatype datatype;
        MPI_T_pvar_get_info(i, name, &length, NULL, &class, &datatype, NULL, NULL, NULL, &bind,
                            &readonly, &continuous, &atomic);
        expect(MPI_T_pvar_get_index(name, class, &index) == MPI_SUCCESS && index == i,
               "a performance variable is found by its name");
    }
    expect(MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_COUNTER, &index) ==
               MPI_T_ERR_INVALID_NAME, "no performance variable of this name");
    MPI_T_pvar_session_free(&session);
    expect(session == MPI_T_PVAR_SESSION_NULL, "a freed session is null");
}

static void categories(void)
{
    int count, index;
    MPI_T_category_get_num(&count);
    expect(count > 0, "there are categories");
    for (int i = 0; i < count; i++) {
        char name[256];
        int length = sizeof name, cvars, pvars, categories, all;
        MPI_T_category_get_info(i, name, &length, NULL, NULL, &cvars, &pvars, &categories);
        expect(MPI_T_category_get_index(name, &index) == MPI_SUCCESS && index == i,
               "a category is found by its name");
        int *members = malloc((cvars + 1) * sizeof *members);
        MPI_T_category_get_cvars(i, cvars, members);
        MPI_T_cvar_get_num(&all);
        for (int k = 0; k < cvars; k++)
            expect(members[k] >= 0 && members[k] < all, "a member of a category exists");
        free(members);
    }
    expect(MPI_T_category_get_index("no such category", &index) == MPI_T_ERR_INVALID_NAME,
           "no category of this name");
}

int main(int argc, char **argv)
{
    int provided, count, rank;
    expect(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED, "nothing before the start");
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    controls();
    performances();
    categories();
    MPI_Finalize();
    MPI_T_finalize();
    if (rank == 0)
        printf("%d mistakes\n", mistakes);
    return mistakes != 0;
}
