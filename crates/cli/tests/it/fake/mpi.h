/* The little of MPI that the tests of the command need. */
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Send(const void *data, int count, void *type, int to, int tag, void *comm);
int MPI_Not_there(void);
