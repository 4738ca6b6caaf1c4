/* ranks: 1 3 */
/* Sessions: communicators from named sets of processes, beside MPI_Init. */
#include "parity.h"

#if MPI_VERSION >= 4
static int by_session(const char *set, const char *tag, int *rank, int *size)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int sum;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, rank);
    MPI_Comm_size(comm, size);
    MPI_Allreduce(rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, sum;
    MPI_Session session;
    /* Beside MPI_Init only: MPICH 4.0 cannot be initialised after a session has ended. */
    parity_begin(&argc, &argv);
    sum = by_session("mpi://WORLD", "first", &rank, &size);
    say("by session: rank %d of %d, sum %d", rank, size, sum);
    sum = by_session("mpi://SELF", "second", &rank, &size);
    say("itself: rank %d of %d, sum %d", rank, size, sum);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_finalize(&session);
    say("finalized: %d", session == MPI_SESSION_NULL);
    parity_end();
    return 0;
}
#else
int main(void)
{
    return 0;
}
#endif
