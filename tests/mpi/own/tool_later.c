/* ranks: 2 */
/* Our performance variables count; what tools cannot change is refused; there are no events. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mistakes;

#define CHECK(holds) check(holds, #holds, __LINE__)

static void check(int holds, const char *what, int line)
{
    if (!holds) {
        fprintf(stderr, "line %d: %s\n", line, what);
        mistakes++;
    }
}

static int class_of(int index)
{
    int class;
    MPI_T_pvar_get_info(index, NULL, NULL, NULL, &class, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                        NULL);
    return class;
}

static void performance(int rank)
{
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int index = -1, count, total, value = 0;
    unsigned long long before = 0, after = 0, left = 1;
    MPI_T_pvar_get_num(&total);
    for (int i = 0; i < total; i++) {
        char name[64];
        int length = sizeof name;
        MPI_T_pvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                            NULL);
        if (strcmp(name, "foretell_messages") == 0)
            index = i;
    }
    CHECK(index >= 0);
    MPI_T_pvar_session_create(&session);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS);
    CHECK(count == 1 && class_of(index) == MPI_T_PVAR_CLASS_COUNTER);
    CHECK(MPI_T_pvar_read(session, handle, &before) == MPI_SUCCESS);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(MPI_T_pvar_read(session, handle, &after) == MPI_SUCCESS);
    CHECK(after >= before);
    CHECK(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_stop(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_write(session, handle, &left) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_reset(session, handle) != MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_readreset(session, handle, &left) != MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS);
    CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
    MPI_T_pvar_session_free(&session);
}

static void settings(void)
{
    int index, count, items, value, length;
    char name[64];
    MPI_T_enum kinds;
    MPI_T_cvar_handle handle;
    CHECK(MPI_T_cvar_get_index("foretell_computation", &index) == MPI_SUCCESS);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &kinds, NULL, NULL, NULL, NULL);
    length = sizeof name;
    CHECK(MPI_T_enum_get_info(kinds, &items, name, &length) == MPI_SUCCESS && items == 2);
    length = sizeof name;
    CHECK(MPI_T_enum_get_item(kinds, 0, &value, name, &length) == MPI_SUCCESS && name[0]);
    CHECK(MPI_T_enum_get_item(kinds, 2, &value, name, &length) == MPI_T_ERR_INVALID_ITEM);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    CHECK(MPI_T_cvar_write(handle, &value) == MPI_T_ERR_CVAR_SET_NEVER);
    MPI_T_cvar_handle_free(&handle);
}

static void categories(void)
{
    int stamp, index, cvars, pvars, below, events, indices[8];
    CHECK(MPI_T_category_changed(&stamp) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_index("foretell", &index) == MPI_SUCCESS);
    MPI_T_category_get_info(index, NULL, NULL, NULL, NULL, &cvars, &pvars, &below);
    CHECK(MPI_T_category_get_categories(index, 8, indices) == MPI_SUCCESS && below > 0);
    CHECK(MPI_T_category_get_index("foretell_traffic", &index) == MPI_SUCCESS);
    MPI_T_category_get_info(index, NULL, NULL, NULL, NULL, &cvars, &pvars, &below);
    CHECK(MPI_T_category_get_pvars(index, 8, indices) == MPI_SUCCESS && pvars > 0);
    CHECK(MPI_T_category_get_num_events(index, &events) == MPI_SUCCESS && events == 0);
    CHECK(MPI_T_category_get_events(index, 8, indices) == MPI_SUCCESS);
}

static void events(void)
{
    int sources, count, index, place, length = 0;
    MPI_Count ticks, most, before, after, stamp;
    MPI_T_source_order order;
    MPI_Info info;
    MPI_T_event_registration none = NULL;
    MPI_T_event_instance instance = NULL;
    CHECK(MPI_T_source_get_num(&sources) == MPI_SUCCESS && sources == 1);
    MPI_T_source_get_info(0, NULL, &length, NULL, NULL, &order, &ticks, &most, &info);
    CHECK(order == MPI_T_SOURCE_ORDERED && ticks > 0);
    MPI_T_source_get_timestamp(0, &before);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_T_source_get_timestamp(0, &after);
    CHECK(after > before);
    CHECK(MPI_T_event_get_num(&count) == MPI_SUCCESS && count == 0);
    CHECK(MPI_T_event_get_index("none", &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_event_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                               NULL) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &none) == MPI_T_ERR_INVALID_INDEX);
#define REFUSED(call) CHECK(call == MPI_T_ERR_INVALID_HANDLE)
    REFUSED(MPI_T_event_handle_get_info(none, &info));
    REFUSED(MPI_T_event_handle_set_info(none, MPI_INFO_NULL));
    REFUSED(MPI_T_event_register_callback(none, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL));
    REFUSED(MPI_T_event_callback_get_info(none, MPI_T_CB_REQUIRE_NONE, &info));
    REFUSED(MPI_T_event_callback_set_info(none, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL));
    REFUSED(MPI_T_event_set_dropped_handler(none, NULL));
    REFUSED(MPI_T_event_handle_free(none, NULL, NULL));
    REFUSED(MPI_T_event_read(instance, 0, &place));
    REFUSED(MPI_T_event_copy(instance, &place));
    REFUSED(MPI_T_event_get_timestamp(instance, &stamp));
    REFUSED(MPI_T_event_get_source(instance, &place));
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    performance(rank);
    settings();
    categories();
    events();
    MPI_T_finalize();
    MPI_Finalize();
    return mistakes != 0;
}
