/* Constants. All are macros, so that programs can ask for them with #ifdef.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_CONSTANTS_H
#define FORETELL_MPI_CONSTANTS_H

/* Wildcards, special ranks and other sentinels. */

#define MPI_ANY_SOURCE                 (-1)
#define MPI_ANY_TAG                    (-2)
#define MPI_PROC_NULL                  (-3)
#define MPI_ROOT                       (-4)
#define MPI_UNDEFINED                  (-32766)
#define MPI_BSEND_OVERHEAD             512

/* Addresses that mean something else than memory. */

#define MPI_BOTTOM                     ((void *)0)
#define MPI_IN_PLACE                   ((void *)1)
#define MPI_BUFFER_AUTOMATIC           ((void *)2)
#define MPI_ARGV_NULL                  ((char **)0)
#define MPI_ARGVS_NULL                 ((char ***)0)
#define MPI_ERRCODES_IGNORE            ((int *)0)
#define MPI_STATUS_IGNORE              ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE            ((MPI_Status *)0)
#define MPI_F_STATUS_IGNORE            ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE          ((MPI_Fint *)0)
#define MPI_F08_STATUS_IGNORE          ((MPI_F08_status *)0)
#define MPI_F08_STATUSES_IGNORE        ((MPI_F08_status *)0)
#define MPI_UNWEIGHTED                 ((int *)10)
#define MPI_WEIGHTS_EMPTY              ((int *)11)

/* Error classes; what a call returns when all is well comes first. */

#define MPI_SUCCESS                    0
#define MPI_ERR_BUFFER                 1
#define MPI_ERR_COUNT                  2
#define MPI_ERR_TYPE                   3
#define MPI_ERR_TAG                    4
#define MPI_ERR_COMM                   5
#define MPI_ERR_RANK                   6
#define MPI_ERR_REQUEST                7
#define MPI_ERR_ROOT                   8
#define MPI_ERR_GROUP                  9
#define MPI_ERR_OP                     10
#define MPI_ERR_TOPOLOGY               11
#define MPI_ERR_DIMS                   12
#define MPI_ERR_ARG                    13
#define MPI_ERR_UNKNOWN                14
#define MPI_ERR_TRUNCATE               15
#define MPI_ERR_OTHER                  16
#define MPI_ERR_INTERN                 17
#define MPI_ERR_PENDING                18
#define MPI_ERR_IN_STATUS              19
#define MPI_ERR_ACCESS                 20
#define MPI_ERR_AMODE                  21
#define MPI_ERR_ASSERT                 22
#define MPI_ERR_BAD_FILE               23
#define MPI_ERR_BASE                   24
#define MPI_ERR_CONVERSION             25
#define MPI_ERR_DISP                   26
#define MPI_ERR_DUP_DATAREP            27
#define MPI_ERR_FILE_EXISTS            28
#define MPI_ERR_FILE_IN_USE            29
#define MPI_ERR_FILE                   30
#define MPI_ERR_INFO_KEY               31
#define MPI_ERR_INFO_NOKEY             32
#define MPI_ERR_INFO_VALUE             33
#define MPI_ERR_INFO                   34
#define MPI_ERR_IO                     35
#define MPI_ERR_KEYVAL                 36
#define MPI_ERR_LOCKTYPE               37
#define MPI_ERR_NAME                   38
#define MPI_ERR_NO_MEM                 39
#define MPI_ERR_NOT_SAME               40
#define MPI_ERR_NO_SPACE               41
#define MPI_ERR_NO_SUCH_FILE           42
#define MPI_ERR_PORT                   43
#define MPI_ERR_QUOTA                  44
#define MPI_ERR_READ_ONLY              45
#define MPI_ERR_RMA_ATTACH             46
#define MPI_ERR_RMA_CONFLICT           47
#define MPI_ERR_RMA_RANGE              48
#define MPI_ERR_RMA_SHARED             49
#define MPI_ERR_RMA_SYNC               50
#define MPI_ERR_SERVICE                51
#define MPI_ERR_SIZE                   52
#define MPI_ERR_SPAWN                  53
#define MPI_ERR_UNSUPPORTED_DATAREP    54
#define MPI_ERR_UNSUPPORTED_OPERATION  55
#define MPI_ERR_WIN                    56
#define MPI_ERR_RMA_FLAVOR             57
#define MPI_ERR_PROC_ABORTED           58
#define MPI_ERR_VALUE_TOO_LARGE        59
#define MPI_ERR_SESSION                60
#define MPI_ERR_ERRHANDLER             61
#define MPI_ERR_ABI                    62
#define MPI_ERR_LASTCODE               16383

/* Error classes of the tool interface. */

#define MPI_T_ERR_CANNOT_INIT          1001
#define MPI_T_ERR_NOT_ACCESSIBLE       1002
#define MPI_T_ERR_NOT_INITIALIZED      1003
#define MPI_T_ERR_NOT_SUPPORTED        1004
#define MPI_T_ERR_MEMORY               1005
#define MPI_T_ERR_INVALID              1006
#define MPI_T_ERR_INVALID_INDEX        1007
#define MPI_T_ERR_INVALID_ITEM         1008
#define MPI_T_ERR_INVALID_SESSION      1009
#define MPI_T_ERR_INVALID_HANDLE       1010
#define MPI_T_ERR_INVALID_NAME         1011
#define MPI_T_ERR_OUT_OF_HANDLES       1012
#define MPI_T_ERR_OUT_OF_SESSIONS      1013
#define MPI_T_ERR_CVAR_SET_NOT_NOW     1014
#define MPI_T_ERR_CVAR_SET_NEVER       1015
#define MPI_T_ERR_PVAR_NO_WRITE        1016
#define MPI_T_ERR_PVAR_NO_STARTSTOP    1017
#define MPI_T_ERR_PVAR_NO_ATOMIC       1018

/* Lengths of strings, with the final zero. */

#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_INFO_KEY               256
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_PORT_NAME              1024
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_STRINGTAG_LEN          1024
#define MPI_MAX_PSET_NAME_LEN          1024

/* Levels of thread support. */

#define MPI_THREAD_SINGLE              0
#define MPI_THREAD_FUNNELED            1024
#define MPI_THREAD_SERIALIZED          2048
#define MPI_THREAD_MULTIPLE            4096

/* Attribute keys that always exist. */

#define MPI_KEYVAL_INVALID             0
#define MPI_TAG_UB                     501
#define MPI_IO                         502
#define MPI_HOST                       503
#define MPI_WTIME_IS_GLOBAL            504
#define MPI_APPNUM                     505
#define MPI_LASTUSEDCODE               506
#define MPI_UNIVERSE_SIZE              507
#define MPI_WIN_BASE                   601
#define MPI_WIN_DISP_UNIT              602
#define MPI_WIN_SIZE                   603
#define MPI_WIN_CREATE_FLAVOR          604
#define MPI_WIN_MODEL                  605

/* Results of comparing communicators and groups. */

#define MPI_IDENT                      201
#define MPI_CONGRUENT                  202
#define MPI_SIMILAR                    203
#define MPI_UNEQUAL                    204

/* Kinds of virtual topologies. */

#define MPI_CART                       211
#define MPI_GRAPH                      212
#define MPI_DIST_GRAPH                 213

/* Ways to split a communicator by the machine. */

#define MPI_COMM_TYPE_SHARED           221
#define MPI_COMM_TYPE_HW_UNGUIDED      222
#define MPI_COMM_TYPE_HW_GUIDED        223
#define MPI_COMM_TYPE_RESOURCE_GUIDED  224

/* How a derived datatype was made. */

#define MPI_COMBINER_NAMED             101
#define MPI_COMBINER_DUP               102
#define MPI_COMBINER_CONTIGUOUS        103
#define MPI_COMBINER_VECTOR            104
#define MPI_COMBINER_HVECTOR           105
#define MPI_COMBINER_INDEXED           106
#define MPI_COMBINER_HINDEXED          107
#define MPI_COMBINER_INDEXED_BLOCK     108
#define MPI_COMBINER_HINDEXED_BLOCK    109
#define MPI_COMBINER_STRUCT            110
#define MPI_COMBINER_SUBARRAY          111
#define MPI_COMBINER_DARRAY            112
#define MPI_COMBINER_F90_REAL          113
#define MPI_COMBINER_F90_COMPLEX       114
#define MPI_COMBINER_F90_INTEGER       115
#define MPI_COMBINER_RESIZED           116
#define MPI_COMBINER_VALUE_INDEX       117

/* Orders and distributions of arrays. */

#define MPI_ORDER_C                    12
#define MPI_ORDER_FORTRAN              15
#define MPI_DISTRIBUTE_NONE            16
#define MPI_DISTRIBUTE_BLOCK           17
#define MPI_DISTRIBUTE_CYCLIC          18
#define MPI_DISTRIBUTE_DFLT_DARG       19

/* Classes of Fortran types. */

#define MPI_TYPECLASS_INTEGER          192
#define MPI_TYPECLASS_REAL             193
#define MPI_TYPECLASS_COMPLEX          194

/* Modes of opening files and of one-sided synchronization. */

#define MPI_MODE_APPEND                1
#define MPI_MODE_CREATE                2
#define MPI_MODE_DELETE_ON_CLOSE       4
#define MPI_MODE_EXCL                  8
#define MPI_MODE_RDONLY                16
#define MPI_MODE_RDWR                  32
#define MPI_MODE_SEQUENTIAL            64
#define MPI_MODE_UNIQUE_OPEN           128
#define MPI_MODE_WRONLY                256
#define MPI_MODE_NOCHECK               1024
#define MPI_MODE_NOPRECEDE             2048
#define MPI_MODE_NOPUT                 4096
#define MPI_MODE_NOSTORE               8192
#define MPI_MODE_NOSUCCEED             16384

/* Where a file pointer is moved from. */

#define MPI_SEEK_CUR                   401
#define MPI_SEEK_END                   402
#define MPI_SEEK_SET                   403

/* A view that keeps its displacement. */

#define MPI_DISPLACEMENT_CURRENT       ((MPI_Offset)-1)

/* Locks, flavours and memory models of windows. */

#define MPI_LOCK_EXCLUSIVE             301
#define MPI_LOCK_SHARED                302
#define MPI_WIN_FLAVOR_CREATE          311
#define MPI_WIN_FLAVOR_ALLOCATE        312
#define MPI_WIN_FLAVOR_DYNAMIC         313
#define MPI_WIN_FLAVOR_SHARED          314
#define MPI_WIN_UNIFIED                321
#define MPI_WIN_SEPARATE               322

/* Where a status of Fortran keeps its fields. */

#define MPI_F_STATUS_SIZE              8
#define MPI_F_SOURCE                   0
#define MPI_F_TAG                      1
#define MPI_F_ERROR                    2

#endif
