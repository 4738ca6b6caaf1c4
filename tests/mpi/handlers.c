/* ranks: 1 2 */
/* Attributes of datatypes, handlers of sessions, info of communicators, groups that meet. */
#include "parity.h"

#if MPI_VERSION >= 4
static int deleted, heard;

static int forget(MPI_Datatype type, int key, void *value, void *state)
{
    (void)type, (void)key, (void)state;
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

static void hear(MPI_Session *session, int *code, ...)
{
    (void)session;
    MPI_Error_class(*code, &heard);
}

static void sessions(void)
{
    MPI_Session session;
    MPI_Errhandler handler, set;
    MPI_Info info;
    int sets, length = 0, found;
    char name[MPI_MAX_PSET_NAME_LEN], value[32];
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_create_errhandler(hear, &handler);
    MPI_Session_set_errhandler(session, handler);
    MPI_Session_get_errhandler(session, &set);
    MPI_Session_call_errhandler(session, MPI_ERR_ARG);
    say("heard: %d", heard == MPI_ERR_ARG);
    MPI_Errhandler_free(&set);
    MPI_Errhandler_free(&handler);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    say("at least two sets: %d", sets >= 2);
    for (int n = 0; n < 2; n++) {
        length = sizeof name;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name);
        MPI_Session_get_pset_info(session, name, &info);
        length = sizeof value;
        MPI_Info_get_string(info, "mpi_size", &length, value, &found);
        say("%s has %s", name, found ? value : "no size");
        MPI_Info_free(&info);
    }
    MPI_Session_get_info(session, &info);
    say("has info: %d", info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Session_finalize(&session);
}

static void types(void)
{
    int key, value = 3, *kept = NULL, found;
    MPI_Datatype type;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &key, NULL);
    MPI_Type_dup(MPI_INT, &type);
    MPI_Type_set_attr(type, key, &value);
    MPI_Type_get_attr(type, key, &kept, &found);
    MPI_Type_delete_attr(type, key);
    say("kept %d, deleted %d", *kept, deleted);
    MPI_Type_free_keyval(&key);
    MPI_Type_free(&type);
}

static void communicators(void)
{
    MPI_Comm made, later, parent;
    MPI_Info info;
    MPI_Request request;
    int size;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &made);
    MPI_Comm_idup_with_info(made, info, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_info(later, info);
    MPI_Info_free(&info);
    MPI_Comm_get_info(later, &info);
    say("has info: %d", info != MPI_INFO_NULL);
    MPI_Info_free(&info);
    MPI_Comm_size(later, &size);
    say("size: %d", size);
    MPI_Comm_get_parent(&parent);
    say("parent: %s", parent == MPI_COMM_NULL ? "none" : "one");
    MPI_Comm_free(&made);
    MPI_Comm_free(&later);
}

static void surroundings(void)
{
    int flag, version, subversion, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    say("initialized %d, version at least 4: %d", flag, version >= 4);
    MPI_Get_library_version(text, &length);
    say("library named: %d", length > 0 && (int)strlen(text) == length);
    MPI_Get_processor_name(text, &length);
    say("processor named: %d", length > 0 && (int)strlen(text) == length);
    say("clock: %d", MPI_Wtick() > 0 && MPI_Wtick() < 1);
    say("pcontrol: %d", MPI_Pcontrol(1) == MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    char value[64];
    int found, length = sizeof value;
    parity_begin(&argc, &argv);
    MPI_Info_create_env(argc, argv, &info);
    MPI_Info_get_string(info, "no such key", &length, value, &found);
    say("from the environment: %d", found);
    MPI_Info_free(&info);
    sessions();
    types();
    communicators();
    surroundings();
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
