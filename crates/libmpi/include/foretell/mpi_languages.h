/* The binary interface itself and other languages.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_LANGUAGES_H
#define FORETELL_MPI_LANGUAGES_H

/* The ABI and the Fortran types that go with it. */

FORETELL_MPI(int, Abi_get_fortran_booleans, (int logical_size, void *logical_true,
    void *logical_false, int *is_set))
FORETELL_MPI(int, Abi_get_fortran_info, (MPI_Info *info))
FORETELL_MPI(int, Abi_get_info, (MPI_Info *info))
FORETELL_MPI(int, Abi_get_version, (int *abi_major, int *abi_minor))
FORETELL_MPI(int, Abi_set_fortran_booleans, (int logical_size, void *logical_true,
    void *logical_false))
FORETELL_MPI(int, Abi_set_fortran_info, (MPI_Info info))

/* Handles as integers, for other languages. */

FORETELL_MPI(MPI_Comm, Comm_fromint, (int comm))
FORETELL_MPI(int, Comm_toint, (MPI_Comm comm))
FORETELL_MPI(MPI_Errhandler, Errhandler_fromint, (int errhandler))
FORETELL_MPI(int, Errhandler_toint, (MPI_Errhandler errhandler))
FORETELL_MPI(MPI_File, File_fromint, (int file))
FORETELL_MPI(int, File_toint, (MPI_File file))
FORETELL_MPI(MPI_Group, Group_fromint, (int group))
FORETELL_MPI(int, Group_toint, (MPI_Group group))
FORETELL_MPI(MPI_Info, Info_fromint, (int info))
FORETELL_MPI(int, Info_toint, (MPI_Info info))
FORETELL_MPI(MPI_Message, Message_fromint, (int message))
FORETELL_MPI(int, Message_toint, (MPI_Message message))
FORETELL_MPI(MPI_Op, Op_fromint, (int op))
FORETELL_MPI(int, Op_toint, (MPI_Op op))
FORETELL_MPI(MPI_Request, Request_fromint, (int request))
FORETELL_MPI(int, Request_toint, (MPI_Request request))
FORETELL_MPI(MPI_Session, Session_fromint, (int session))
FORETELL_MPI(int, Session_toint, (MPI_Session session))
FORETELL_MPI(MPI_Datatype, Type_fromint, (int datatype))
FORETELL_MPI(int, Type_toint, (MPI_Datatype datatype))
FORETELL_MPI(MPI_Win, Win_fromint, (int win))
FORETELL_MPI(int, Win_toint, (MPI_Win win))

/* Handles and statuses of Fortran. */

FORETELL_MPI(MPI_Comm, Comm_f2c, (MPI_Fint comm))
FORETELL_MPI(MPI_Errhandler, Errhandler_f2c, (MPI_Fint errhandler))
FORETELL_MPI(MPI_File, File_f2c, (MPI_Fint file))
FORETELL_MPI(MPI_Group, Group_f2c, (MPI_Fint group))
FORETELL_MPI(MPI_Info, Info_f2c, (MPI_Fint info))
FORETELL_MPI(MPI_Message, Message_f2c, (MPI_Fint message))
FORETELL_MPI(MPI_Op, Op_f2c, (MPI_Fint op))
FORETELL_MPI(MPI_Request, Request_f2c, (MPI_Fint request))
FORETELL_MPI(MPI_Session, Session_f2c, (MPI_Fint session))
FORETELL_MPI(MPI_Datatype, Type_f2c, (MPI_Fint datatype))
FORETELL_MPI(MPI_Win, Win_f2c, (MPI_Fint win))
FORETELL_MPI(int, Status_f2c, (const MPI_Fint *f_status, MPI_Status *c_status))
FORETELL_MPI(MPI_Fint, Comm_c2f, (MPI_Comm comm))
FORETELL_MPI(MPI_Fint, Errhandler_c2f, (MPI_Errhandler errhandler))
FORETELL_MPI(MPI_Fint, File_c2f, (MPI_File file))
FORETELL_MPI(MPI_Fint, Group_c2f, (MPI_Group group))
FORETELL_MPI(MPI_Fint, Info_c2f, (MPI_Info info))
FORETELL_MPI(MPI_Fint, Message_c2f, (MPI_Message message))
FORETELL_MPI(MPI_Fint, Op_c2f, (MPI_Op op))
FORETELL_MPI(MPI_Fint, Request_c2f, (MPI_Request request))
FORETELL_MPI(MPI_Fint, Session_c2f, (MPI_Session session))
FORETELL_MPI(MPI_Fint, Type_c2f, (MPI_Datatype datatype))
FORETELL_MPI(MPI_Fint, Win_c2f, (MPI_Win win))
FORETELL_MPI(int, Status_c2f, (const MPI_Status *c_status, MPI_Fint *f_status))
FORETELL_MPI(int, Status_f082c, (const MPI_F08_status *f08_status, MPI_Status *c_status))
FORETELL_MPI(int, Status_c2f08, (const MPI_Status *c_status, MPI_F08_status *f08_status))
FORETELL_MPI(int, Status_f082f, (const MPI_F08_status *f08_status, MPI_Fint *f_status))
FORETELL_MPI(int, Status_f2f08, (const MPI_Fint *f_status, MPI_F08_status *f08_status))

#endif
