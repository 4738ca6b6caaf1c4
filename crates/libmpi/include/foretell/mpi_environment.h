/* Beginning, end, sessions, time, memory and info objects.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_ENVIRONMENT_H
#define FORETELL_MPI_ENVIRONMENT_H

/* Beginning and end. */

FORETELL_MPI(int, Init, (int *argc, char ***argv))
FORETELL_MPI(int, Init_thread, (int *argc, char ***argv, int required, int *provided))
FORETELL_MPI(int, Initialized, (int *flag))
FORETELL_MPI(int, Query_thread, (int *provided))
FORETELL_MPI(int, Is_thread_main, (int *flag))
FORETELL_MPI(int, Finalize, (void))
FORETELL_MPI(int, Finalized, (int *flag))
FORETELL_MPI(int, Abort, (MPI_Comm comm, int errorcode))

/* Sessions. */

FORETELL_MPI(int, Session_finalize, (MPI_Session *session))
FORETELL_MPI(int, Session_get_info, (MPI_Session session, MPI_Info *info_used))
FORETELL_MPI(int, Session_get_nth_pset, (MPI_Session session, MPI_Info info, int n, int *pset_len,
    char *pset_name))
FORETELL_MPI(int, Session_get_num_psets, (MPI_Session session, MPI_Info info, int *npset_names))
FORETELL_MPI(int, Session_get_pset_info, (MPI_Session session, const char *pset_name,
    MPI_Info *info))
FORETELL_MPI(int, Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session))

/* What runs where. */

FORETELL_MPI(int, Get_version, (int *version, int *subversion))
FORETELL_MPI(int, Get_library_version, (char *version, int *resultlen))
FORETELL_MPI(int, Get_processor_name, (char *name, int *resultlen))
FORETELL_MPI(int, Get_hw_resource_info, (MPI_Info *hw_info))
FORETELL_MPI(double, Wtime, (void))
FORETELL_MPI(double, Wtick, (void))
FORETELL_MPI(int, Pcontrol, (const int level, ...))

/* Memory. */

FORETELL_MPI(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr))
FORETELL_MPI(int, Free_mem, (void *base))

/* Keys and values. */

FORETELL_MPI(int, Info_create, (MPI_Info *info))
FORETELL_MPI(int, Info_create_env, (int argc, char *argv[], MPI_Info *info))
FORETELL_MPI(int, Info_delete, (MPI_Info info, const char *key))
FORETELL_MPI(int, Info_dup, (MPI_Info info, MPI_Info *newinfo))
FORETELL_MPI(int, Info_free, (MPI_Info *info))
FORETELL_MPI(int, Info_get_nkeys, (MPI_Info info, int *nkeys))
FORETELL_MPI(int, Info_get_nthkey, (MPI_Info info, int n, char *key))
FORETELL_MPI(int, Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value,
    int *flag))
FORETELL_MPI(int, Info_set, (MPI_Info info, const char *key, const char *value))

#endif
