//! Fortran entry points: point to point. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Probe mpi_probe(source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Iprobe mpi_iprobe(source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        flag: Place<c_int>, status: Status);
    MPI_Mprobe mpi_mprobe(source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        message: Made<Message>, status: Status);
    MPI_Improbe mpi_improbe(source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        flag: Place<c_int>, message: Made<Message>, status: Status);
    MPI_Wait mpi_wait(request: Changed<Request>, status: Status);
    MPI_Test mpi_test(request: Changed<Request>, flag: Place<c_int>, status: Status);
    MPI_Waitany mpi_waitany(count: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(count)], indx: Index, status: Status);
    MPI_Testany mpi_testany(count: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(count)], indx: Index, flag: Place<c_int>,
        status: Status);
    MPI_Waitall mpi_waitall(count: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(count)], array_of_statuses: Statuses);
    MPI_Testall mpi_testall(count: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(count)], flag: Place<c_int>,
        array_of_statuses: Statuses);
    MPI_Waitsome mpi_waitsome(incount: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(incount)], outcount: Place<c_int>,
        array_of_indices: Indices[outcount as usize], array_of_statuses: Statuses);
    MPI_Testsome mpi_testsome(incount: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(incount)], outcount: Place<c_int>,
        array_of_indices: Indices[outcount as usize], array_of_statuses: Statuses);
    MPI_Request_free mpi_request_free(request: Changed<Request>);
    MPI_Request_get_status mpi_request_get_status(request: Given<Request>, flag: Place<c_int>,
        status: Status);
    MPI_Request_get_status_all mpi_request_get_status_all(count: Value<c_int>,
        array_of_requests: GivenAll<Request>[at(count)], flag: Place<c_int>,
        array_of_statuses: Statuses);
    MPI_Request_get_status_any mpi_request_get_status_any(count: Value<c_int>,
        array_of_requests: GivenAll<Request>[at(count)], indx: Index, flag: Place<c_int>,
        status: Status);
    MPI_Request_get_status_some mpi_request_get_status_some(incount: Value<c_int>,
        array_of_requests: GivenAll<Request>[at(incount)], outcount: Place<c_int>,
        array_of_indices: Indices[outcount as usize], array_of_statuses: Statuses);
    MPI_Cancel mpi_cancel(request: Changed<Request>);
    MPI_Test_cancelled mpi_test_cancelled(status: Place<MPI_Status>, flag: Place<c_int>);
    MPI_Start mpi_start(request: Changed<Request>);
    MPI_Startall mpi_startall(count: Value<c_int>,
        array_of_requests: ChangedAll<Request>[at(count)]);
    MPI_Pready mpi_pready(partition: Value<c_int>, request: Given<Request>);
    MPI_Pready_list mpi_pready_list(length: Value<c_int>, array_of_partitions: Place<c_int>,
        request: Given<Request>);
    MPI_Pready_range mpi_pready_range(partition_low: Value<c_int>, partition_high: Value<c_int>,
        request: Given<Request>);
    MPI_Parrived mpi_parrived(request: Given<Request>, partition: Value<c_int>, flag: Place<c_int>);
    MPI_Get_count mpi_get_count(status: Place<MPI_Status>, datatype: Given<Datatype>,
        count: Place<c_int>);
    MPI_Get_elements mpi_get_elements(status: Place<MPI_Status>, datatype: Given<Datatype>,
        count: Place<c_int>);
    MPI_Status_get_error mpi_status_get_error(status: Place<MPI_Status>, error: Place<c_int>);
    MPI_Status_get_source mpi_status_get_source(status: Place<MPI_Status>, source: Place<c_int>);
    MPI_Status_get_tag mpi_status_get_tag(status: Place<MPI_Status>, tag: Place<c_int>);
    MPI_Status_set_cancelled mpi_status_set_cancelled(status: Place<MPI_Status>,
        flag: Value<c_int>);
    MPI_Status_set_elements mpi_status_set_elements(status: Place<MPI_Status>,
        datatype: Given<Datatype>, count: Value<c_int>);
    MPI_Status_set_error mpi_status_set_error(status: Place<MPI_Status>, error: Value<c_int>);
    MPI_Status_set_source mpi_status_set_source(status: Place<MPI_Status>, source: Value<c_int>);
    MPI_Status_set_tag mpi_status_set_tag(status: Place<MPI_Status>, tag: Value<c_int>);
    MPI_Grequest_complete mpi_grequest_complete(request: Given<Request>);
    MPI_Buffer_flush mpi_buffer_flush();
    MPI_Buffer_iflush mpi_buffer_iflush(request: Made<Request>);
    MPI_Comm_flush_buffer mpi_comm_flush_buffer(comm: Given<Comm>);
    MPI_Comm_iflush_buffer mpi_comm_iflush_buffer(comm: Given<Comm>, request: Made<Request>);
    MPI_Session_flush_buffer mpi_session_flush_buffer(session: Given<Session>);
    MPI_Session_iflush_buffer mpi_session_iflush_buffer(session: Given<Session>,
        request: Made<Request>);
}

fortran! { old
    MPI_Send mpi_send(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Isend mpi_isend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Send_init mpi_send_init(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bsend mpi_bsend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Ibsend mpi_ibsend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bsend_init mpi_bsend_init(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ssend mpi_ssend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Issend mpi_issend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ssend_init mpi_ssend_init(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Rsend mpi_rsend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Irsend mpi_irsend(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Rsend_init mpi_rsend_init(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Recv mpi_recv(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Irecv mpi_irecv(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Recv_init mpi_recv_init(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Sendrecv mpi_sendrecv(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        dest: Value<c_int>, sendtag: Value<c_int>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>,
        status: Status);
    MPI_Isendrecv mpi_isendrecv(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>, recvbuf: Choice,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, source: Value<c_int>,
        recvtag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Sendrecv_replace mpi_sendrecv_replace(buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>,
        source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Isendrecv_replace mpi_isendrecv_replace(buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>,
        source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Mrecv mpi_mrecv(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        message: Changed<Message>, status: Status);
    MPI_Imrecv mpi_imrecv(buf: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        message: Changed<Message>, request: Made<Request>);
    MPI_Psend_init mpi_psend_init(buf: Choice, partitions: Value<c_int>, count: Value<c_int>,
        datatype: Given<Datatype>, dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Precv_init mpi_precv_init(buf: Choice, partitions: Value<c_int>, count: Value<c_int>,
        datatype: Given<Datatype>, source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Buffer_attach mpi_buffer_attach(buffer: Choice, size: Value<c_int>);
    MPI_Comm_attach_buffer mpi_comm_attach_buffer(comm: Given<Comm>, buffer: Choice,
        size: Value<c_int>);
    MPI_Session_attach_buffer mpi_session_attach_buffer(session: Given<Session>, buffer: Choice,
        size: Value<c_int>);
}

fortran! { new
    MPI_Get_count_c mpi_get_count_c(status: Place<MPI_Status>, datatype: Given<Datatype>,
        count: Place<MPI_Count>);
    MPI_Get_elements_c mpi_get_elements_c(status: Place<MPI_Status>, datatype: Given<Datatype>,
        count: Place<MPI_Count>);
    MPI_Status_set_elements_c mpi_status_set_elements_c(status: Place<MPI_Status>,
        datatype: Given<Datatype>, count: Value<MPI_Count>);
}

fortran! { described
    MPI_Send mpi_send(buf: Gathered, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Send_c mpi_send_c(buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Isend mpi_isend(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Isend_c mpi_isend_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Send_init mpi_send_init(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Send_init_c mpi_send_init_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bsend mpi_bsend(buf: Gathered, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Bsend_c mpi_bsend_c(buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Ibsend mpi_ibsend(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ibsend_c mpi_ibsend_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bsend_init mpi_bsend_init(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bsend_init_c mpi_bsend_init_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ssend mpi_ssend(buf: Gathered, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Ssend_c mpi_ssend_c(buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Issend mpi_issend(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Issend_c mpi_issend_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ssend_init mpi_ssend_init(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ssend_init_c mpi_ssend_init_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Rsend mpi_rsend(buf: Gathered, count: Value<c_int>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Rsend_c mpi_rsend_c(buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>,
        dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>);
    MPI_Irsend mpi_irsend(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Irsend_c mpi_irsend_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Rsend_init mpi_rsend_init(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Rsend_init_c mpi_rsend_init_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Recv mpi_recv(buf: Copied, count: Value<c_int>, datatype: Given<Datatype>,
        source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Recv_c mpi_recv_c(buf: Copied, count: Value<MPI_Count>, datatype: Given<Datatype>,
        source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Irecv mpi_irecv(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], source: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Irecv_c mpi_irecv_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], source: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Recv_init mpi_recv_init(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], source: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Recv_init_c mpi_recv_init_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], source: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Sendrecv mpi_sendrecv(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>, recvbuf: Copied,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, source: Value<c_int>,
        recvtag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Sendrecv_c mpi_sendrecv_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>, recvbuf: Copied,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, source: Value<c_int>,
        recvtag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Isendrecv mpi_isendrecv(sendbuf: Described, sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], dest: Value<c_int>,
        sendtag: Value<c_int>, recvbuf: Described, recvcount: CountOf<c_int>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], source: Value<c_int>,
        recvtag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Isendrecv_c mpi_isendrecv_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], dest: Value<c_int>,
        sendtag: Value<c_int>, recvbuf: Described,
        recvcount: CountOf<MPI_Count>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], source: Value<c_int>,
        recvtag: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Sendrecv_replace mpi_sendrecv_replace(buf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>,
        source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Sendrecv_replace_c mpi_sendrecv_replace_c(buf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, dest: Value<c_int>, sendtag: Value<c_int>,
        source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>, status: Status);
    MPI_Isendrecv_replace mpi_isendrecv_replace(buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        sendtag: Value<c_int>, source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Isendrecv_replace_c mpi_isendrecv_replace_c(buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], dest: Value<c_int>,
        sendtag: Value<c_int>, source: Value<c_int>, recvtag: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Mrecv mpi_mrecv(buf: Copied, count: Value<c_int>, datatype: Given<Datatype>,
        message: Changed<Message>, status: Status);
    MPI_Mrecv_c mpi_mrecv_c(buf: Copied, count: Value<MPI_Count>, datatype: Given<Datatype>,
        message: Changed<Message>, status: Status);
    MPI_Imrecv mpi_imrecv(buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], message: Changed<Message>,
        request: Made<Request>);
    MPI_Imrecv_c mpi_imrecv_c(buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], message: Changed<Message>,
        request: Made<Request>);
    MPI_Psend_init mpi_psend_init(buf: Dense, partitions: Value<c_int>, count: Value<c_int>,
        datatype: Given<Datatype>, dest: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Psend_init_c mpi_psend_init_c(buf: Dense, partitions: Value<c_int>,
        count: Value<MPI_Count>, datatype: Given<Datatype>, dest: Value<c_int>, tag: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Precv_init mpi_precv_init(buf: Dense, partitions: Value<c_int>, count: Value<c_int>,
        datatype: Given<Datatype>, source: Value<c_int>, tag: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Precv_init_c mpi_precv_init_c(buf: Dense, partitions: Value<c_int>,
        count: Value<MPI_Count>, datatype: Given<Datatype>, source: Value<c_int>,
        tag: Value<c_int>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Buffer_attach mpi_buffer_attach(buffer: Placed, size: Value<c_int>);
    MPI_Buffer_attach_c mpi_buffer_attach_c(buffer: Placed, size: Value<MPI_Count>);
    MPI_Comm_attach_buffer mpi_comm_attach_buffer(comm: Given<Comm>, buffer: Placed,
        size: Value<c_int>);
    MPI_Comm_attach_buffer_c mpi_comm_attach_buffer_c(comm: Given<Comm>, buffer: Placed,
        size: Value<MPI_Count>);
    MPI_Session_attach_buffer mpi_session_attach_buffer(session: Given<Session>, buffer: Placed,
        size: Value<c_int>);
    MPI_Session_attach_buffer_c mpi_session_attach_buffer_c(session: Given<Session>,
        buffer: Placed, size: Value<MPI_Count>);
}
