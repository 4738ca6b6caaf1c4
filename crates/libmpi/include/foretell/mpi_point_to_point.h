/* Messages between two ranks.
   Part of mpi.h, which includes it. */

#ifndef FORETELL_MPI_POINT_TO_POINT_H
#define FORETELL_MPI_POINT_TO_POINT_H

/* Sending and receiving. */

FORETELL_MPI(int, Send, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm))
FORETELL_MPI(int, Send_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm))
FORETELL_MPI(int, Isend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Isend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Send_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Send_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Bsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm))
FORETELL_MPI(int, Bsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm))
FORETELL_MPI(int, Ibsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Ibsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Bsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Bsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Ssend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm))
FORETELL_MPI(int, Ssend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm))
FORETELL_MPI(int, Issend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Issend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Ssend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Ssend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Rsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm))
FORETELL_MPI(int, Rsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm))
FORETELL_MPI(int, Irsend, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Irsend_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Rsend_init, (const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Rsend_init_c, (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Recv, (void *buf, int count, MPI_Datatype datatype, int source, int tag,
    MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Recv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
    MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Irecv, (void *buf, int count, MPI_Datatype datatype, int source, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Irecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Recv_init, (void *buf, int count, MPI_Datatype datatype, int source, int tag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Recv_init_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int source,
    int tag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Sendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
    int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
    MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Sendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
    int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source,
    int recvtag, MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Isendrecv, (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
    int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
    MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Isendrecv_c, (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
    int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source,
    int recvtag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Sendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest,
    int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Sendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Isendrecv_replace, (void *buf, int count, MPI_Datatype datatype, int dest,
    int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Isendrecv_replace_c, (void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
    int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request))

/* Probing, and receiving what a probe matched. */

FORETELL_MPI(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
FORETELL_MPI(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
FORETELL_MPI(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message,
    MPI_Status *status))
FORETELL_MPI(int, Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
    MPI_Status *status))
FORETELL_MPI(int, Mrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
    MPI_Status *status))
FORETELL_MPI(int, Mrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
    MPI_Status *status))
FORETELL_MPI(int, Imrecv, (void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
    MPI_Request *request))
FORETELL_MPI(int, Imrecv_c, (void *buf, MPI_Count count, MPI_Datatype datatype,
    MPI_Message *message, MPI_Request *request))

/* Completion. */

FORETELL_MPI(int, Wait, (MPI_Request *request, MPI_Status *status))
FORETELL_MPI(int, Test, (MPI_Request *request, int *flag, MPI_Status *status))
FORETELL_MPI(int, Waitany, (int count, MPI_Request array_of_requests[], int *indx,
    MPI_Status *status))
FORETELL_MPI(int, Testany, (int count, MPI_Request array_of_requests[], int *indx, int *flag,
    MPI_Status *status))
FORETELL_MPI(int, Waitall, (int count, MPI_Request array_of_requests[],
    MPI_Status *array_of_statuses))
FORETELL_MPI(int, Testall, (int count, MPI_Request array_of_requests[], int *flag,
    MPI_Status *array_of_statuses))
FORETELL_MPI(int, Waitsome, (int incount, MPI_Request array_of_requests[], int *outcount,
    int array_of_indices[], MPI_Status *array_of_statuses))
FORETELL_MPI(int, Testsome, (int incount, MPI_Request array_of_requests[], int *outcount,
    int array_of_indices[], MPI_Status *array_of_statuses))
FORETELL_MPI(int, Request_free, (MPI_Request *request))
FORETELL_MPI(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
FORETELL_MPI(int, Request_get_status_all, (int count, const MPI_Request array_of_requests[],
    int *flag, MPI_Status *array_of_statuses))
FORETELL_MPI(int, Request_get_status_any, (int count, const MPI_Request array_of_requests[],
    int *indx, int *flag, MPI_Status *status))
FORETELL_MPI(int, Request_get_status_some, (int incount, const MPI_Request array_of_requests[],
    int *outcount, int array_of_indices[], MPI_Status *array_of_statuses))
FORETELL_MPI(int, Cancel, (MPI_Request *request))
FORETELL_MPI(int, Test_cancelled, (const MPI_Status *status, int *flag))

/* Persistent and partitioned requests. */

FORETELL_MPI(int, Start, (MPI_Request *request))
FORETELL_MPI(int, Startall, (int count, MPI_Request array_of_requests[]))
FORETELL_MPI(int, Psend_init, (const void *buf, int partitions, int count, MPI_Datatype datatype,
    int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
FORETELL_MPI(int, Psend_init_c, (const void *buf, int partitions, MPI_Count count,
    MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
FORETELL_MPI(int, Precv_init, (void *buf, int partitions, int count, MPI_Datatype datatype,
    int source, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
FORETELL_MPI(int, Precv_init_c, (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype,
    int source, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request))
FORETELL_MPI(int, Pready, (int partition, MPI_Request request))
FORETELL_MPI(int, Pready_list, (int length, const int array_of_partitions[], MPI_Request request))
FORETELL_MPI(int, Pready_range, (int partition_low, int partition_high, MPI_Request request))
FORETELL_MPI(int, Parrived, (MPI_Request request, int partition, int *flag))

/* Statuses. */

FORETELL_MPI(int, Get_count, (const MPI_Status *status, MPI_Datatype datatype, int *count))
FORETELL_MPI(int, Get_count_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count))
FORETELL_MPI(int, Get_elements, (const MPI_Status *status, MPI_Datatype datatype, int *count))
FORETELL_MPI(int, Get_elements_c, (const MPI_Status *status, MPI_Datatype datatype,
    MPI_Count *count))
FORETELL_MPI(int, Status_get_error, (const MPI_Status *status, int *error))
FORETELL_MPI(int, Status_get_source, (const MPI_Status *status, int *source))
FORETELL_MPI(int, Status_get_tag, (const MPI_Status *status, int *tag))
FORETELL_MPI(int, Status_set_cancelled, (MPI_Status *status, int flag))
FORETELL_MPI(int, Status_set_elements, (MPI_Status *status, MPI_Datatype datatype, int count))
FORETELL_MPI(int, Status_set_elements_c, (MPI_Status *status, MPI_Datatype datatype,
    MPI_Count count))
FORETELL_MPI(int, Status_set_error, (MPI_Status *status, int error))
FORETELL_MPI(int, Status_set_source, (MPI_Status *status, int source))
FORETELL_MPI(int, Status_set_tag, (MPI_Status *status, int tag))

/* Requests of the program itself. */

FORETELL_MPI(int, Grequest_complete, (MPI_Request request))
FORETELL_MPI(int, Grequest_start, (MPI_Grequest_query_function *query_fn,
    MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
    MPI_Request *request))

/* Buffers of buffered sends. */

FORETELL_MPI(int, Buffer_attach, (void *buffer, int size))
FORETELL_MPI(int, Buffer_attach_c, (void *buffer, MPI_Count size))
FORETELL_MPI(int, Buffer_detach, (void *buffer_addr, int *size))
FORETELL_MPI(int, Buffer_detach_c, (void *buffer_addr, MPI_Count *size))
FORETELL_MPI(int, Buffer_flush, (void))
FORETELL_MPI(int, Buffer_iflush, (MPI_Request *request))
FORETELL_MPI(int, Comm_attach_buffer, (MPI_Comm comm, void *buffer, int size))
FORETELL_MPI(int, Comm_attach_buffer_c, (MPI_Comm comm, void *buffer, MPI_Count size))
FORETELL_MPI(int, Comm_detach_buffer, (MPI_Comm comm, void *buffer_addr, int *size))
FORETELL_MPI(int, Comm_detach_buffer_c, (MPI_Comm comm, void *buffer_addr, MPI_Count *size))
FORETELL_MPI(int, Comm_flush_buffer, (MPI_Comm comm))
FORETELL_MPI(int, Comm_iflush_buffer, (MPI_Comm comm, MPI_Request *request))
FORETELL_MPI(int, Session_attach_buffer, (MPI_Session session, void *buffer, int size))
FORETELL_MPI(int, Session_attach_buffer_c, (MPI_Session session, void *buffer, MPI_Count size))
FORETELL_MPI(int, Session_detach_buffer, (MPI_Session session, void *buffer_addr, int *size))
FORETELL_MPI(int, Session_detach_buffer_c, (MPI_Session session, void *buffer_addr,
    MPI_Count *size))
FORETELL_MPI(int, Session_flush_buffer, (MPI_Session session))
FORETELL_MPI(int, Session_iflush_buffer, (MPI_Session session, MPI_Request *request))

#endif
