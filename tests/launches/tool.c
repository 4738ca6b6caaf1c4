/* A tool: it counts what goes through it, and tells at the end. */
#include <mpi.h>
#include <stdio.h>

static int begun, reduced;

int MPI_Init(int *argc, char ***argv)
{
    begun++;
    return PMPI_Init(argc, argv);
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    reduced++;
    return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d: %d begun, %d reduced\n", rank, begun, reduced);
    fflush(stdout);
    return PMPI_Finalize();
}
