/* Calls of libforetell_blas, in C's names and Fortran's: what they compute and how long they take. */
#include <mpi.h>
#include <stdio.h>

enum { ColMajor = 102, NoTrans = 111 };

void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, double *, const int *);
size_t cblas_idamax(int, const double *, int);

int main(int argc, char **argv)
{
    double a[4] = {2, 0, 1, 4}, b[4] = {1, 0, 0, 1}, c[4] = {0, 0, 0, 0}, x[2] = {1, 8};
    double one = 1, dates[4];
    int two = 2, single = 1;
    size_t place;
    MPI_Init(&argc, &argv);
    dates[0] = MPI_Wtime();
    cblas_dgemm(ColMajor, NoTrans, NoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
    dates[1] = MPI_Wtime();
    dtrsm_("L", "U", "N", "N", &two, &single, &one, a, &two, x, &two);
    dates[2] = MPI_Wtime();
    place = cblas_idamax(4, a, 1);
    dates[3] = MPI_Wtime();
    printf("product %g %g %g %g, solution %g %g, largest %zu, took %.2f %.2f %.2f s\n", c[0], c[1],
           c[2], c[3], x[0], x[1], place, dates[1] - dates[0], dates[2] - dates[1],
           dates[3] - dates[2]);
    MPI_Finalize();
    return 0;
}
