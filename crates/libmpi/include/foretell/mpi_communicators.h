/* Groups, communicators and processes.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_COMMUNICATORS_H
#define FORETELL_MPI_COMMUNICATORS_H

/* Groups. */

FORETELL_MPI(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result))
FORETELL_MPI(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
FORETELL_MPI(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
FORETELL_MPI(int, Group_free, (MPI_Group *group))
FORETELL_MPI(int, Group_from_session_pset, (MPI_Session session, const char *pset_name,
    MPI_Group *newgroup))
FORETELL_MPI(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
FORETELL_MPI(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
FORETELL_MPI(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
FORETELL_MPI(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
FORETELL_MPI(int, Group_rank, (MPI_Group group, int *rank))
FORETELL_MPI(int, Group_size, (MPI_Group group, int *size))
FORETELL_MPI(int, Group_translate_ranks, (MPI_Group group1, int n, const int ranks1[],
    MPI_Group group2, int ranks2[]))
FORETELL_MPI(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))

/* Communicators. */

FORETELL_MPI(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result))
FORETELL_MPI(int, Comm_rank, (MPI_Comm comm, int *rank))
FORETELL_MPI(int, Comm_size, (MPI_Comm comm, int *size))
FORETELL_MPI(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
FORETELL_MPI(int, Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm,
    MPI_Request *request))
FORETELL_MPI(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_create_from_group, (MPI_Group group, const char *stringtag, MPI_Info info,
    MPI_Errhandler errhandler, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info,
    MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_free, (MPI_Comm *comm))
FORETELL_MPI(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info_used))
FORETELL_MPI(int, Comm_get_name, (MPI_Comm comm, char *comm_name, int *resultlen))
FORETELL_MPI(int, Comm_set_info, (MPI_Comm comm, MPI_Info info))
FORETELL_MPI(int, Comm_set_name, (MPI_Comm comm, const char *comm_name))
FORETELL_MPI(int, Comm_group, (MPI_Comm comm, MPI_Group *group))

/* Intercommunicators. */

FORETELL_MPI(int, Comm_test_inter, (MPI_Comm comm, int *flag))
FORETELL_MPI(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group))
FORETELL_MPI(int, Comm_remote_size, (MPI_Comm comm, int *size))
FORETELL_MPI(int, Intercomm_create, (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
    int remote_leader, int tag, MPI_Comm *newintercomm))
FORETELL_MPI(int, Intercomm_create_from_groups, (MPI_Group local_group, int local_leader,
    MPI_Group remote_group, int remote_leader, const char *stringtag, MPI_Info info,
    MPI_Errhandler errhandler, MPI_Comm *newintercomm))
FORETELL_MPI(int, Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm))

/* Processes that come and go. */

FORETELL_MPI(int, Comm_spawn, (const char *command, char *argv[], int maxprocs, MPI_Info info,
    int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]))
FORETELL_MPI(int, Comm_spawn_multiple, (int count, char *array_of_commands[],
    char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info array_of_info[], int root,
    MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]))
FORETELL_MPI(int, Comm_get_parent, (MPI_Comm *parent))
FORETELL_MPI(int, Comm_accept, (const char *port_name, MPI_Info info, int root, MPI_Comm comm,
    MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_connect, (const char *port_name, MPI_Info info, int root, MPI_Comm comm,
    MPI_Comm *newcomm))
FORETELL_MPI(int, Comm_disconnect, (MPI_Comm *comm))
FORETELL_MPI(int, Comm_join, (int fd, MPI_Comm *intercomm))
FORETELL_MPI(int, Open_port, (MPI_Info info, char *port_name))
FORETELL_MPI(int, Close_port, (const char *port_name))
FORETELL_MPI(int, Lookup_name, (const char *service_name, MPI_Info info, char *port_name))
FORETELL_MPI(int, Publish_name, (const char *service_name, MPI_Info info, const char *port_name))
FORETELL_MPI(int, Unpublish_name, (const char *service_name, MPI_Info info, const char *port_name))

#endif
