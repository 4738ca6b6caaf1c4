/* ranks: 1 3 */
/* stdin: 42 words here */
/* Standard input is rank 0's; the others find its end at once, however they look. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int mistakes;

static void check(int holds, const char *what, int rank)
{
    if (!holds) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        mistakes++;
    }
}

static void others(int rank)
{
    int number = -1;
    char line[32], *grown = NULL;
    size_t room = 0;
    check(scanf("%d", &number) == EOF && number == -1, "scanf", rank);
    check(fscanf(stdin, "%d", &number) == EOF, "fscanf", rank);
    check(fgets(line, sizeof line, stdin) == NULL, "fgets", rank);
    check(getchar() == EOF && getc(stdin) == EOF && fgetc(stdin) == EOF, "getchar", rank);
    check(fread(line, 1, sizeof line, stdin) == 0, "fread", rank);
    check(getline(&grown, &room, stdin) == -1, "getline", rank);
    check(read(STDIN_FILENO, line, sizeof line) == 0, "read", rank);
    check(feof(stdin), "feof", rank);
    free(grown);
}

static void first(int rank)
{
    int number = 0;
    char word[16] = "", rest[16] = "";
    check(scanf("%d %15s", &number, word) == 2 && number == 42, "scanf of rank 0", rank);
    check(fgets(rest, sizeof rest, stdin) != NULL && rest[1] == 'h', "fgets of rank 0", rank);
    check(!feof(stdin) && getchar() == EOF && feof(stdin), "the end", rank);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* Once before rank 0 has read anything, and once while the stream holds what is left. */
    if (rank == 1)
        others(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        first(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 1)
        others(rank);
    MPI_Finalize();
    return mistakes != 0;
}
