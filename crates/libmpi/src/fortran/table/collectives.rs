//! Fortran entry points: collectives. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Barrier mpi_barrier(comm: Given<Comm>);
    MPI_Ibarrier mpi_ibarrier(comm: Given<Comm>, request: Made<Request>);
    MPI_Barrier_init mpi_barrier_init(comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Op_commutative mpi_op_commutative(op: Given<Op>, commute: Place<c_int>);
    MPI_Op_create mpi_op_create(user_fn: Function, commute: Value<c_int>, op: Made<Op>);
    MPI_Op_free mpi_op_free(op: Changed<Op>);
}

fortran! { old
    MPI_Bcast mpi_bcast(buffer: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>);
    MPI_Ibcast mpi_ibcast(buffer: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Bcast_init mpi_bcast_init(buffer: Choice, count: Value<c_int>, datatype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Gather mpi_gather(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>);
    MPI_Igather mpi_igather(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Gather_init mpi_gather_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Gatherv mpi_gatherv(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcounts: Place<c_int>, displs: Place<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Igatherv mpi_igatherv(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcounts: Place<c_int>, displs: Place<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Gatherv_init mpi_gatherv_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Scatter mpi_scatter(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>);
    MPI_Iscatter mpi_iscatter(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Scatter_init mpi_scatter_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Scatterv mpi_scatterv(sendbuf: Choice, sendcounts: Place<c_int>, displs: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Iscatterv mpi_iscatterv(sendbuf: Choice, sendcounts: Place<c_int>, displs: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Scatterv_init mpi_scatterv_init(sendbuf: Choice, sendcounts: Place<c_int>,
        displs: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Allgather mpi_allgather(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Iallgather mpi_iallgather(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Allgather_init mpi_allgather_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Allgatherv mpi_allgatherv(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Iallgatherv mpi_iallgatherv(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Allgatherv_init mpi_allgatherv_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Alltoall mpi_alltoall(sendbuf: Choice, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ialltoall mpi_ialltoall(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoall_init mpi_alltoall_init(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoallv mpi_alltoallv(sendbuf: Choice, sendcounts: Place<c_int>, sdispls: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        rdispls: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ialltoallv mpi_ialltoallv(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoallv_init mpi_alltoallv_init(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoallw mpi_alltoallw(sendbuf: Choice, sendcounts: Place<c_int>, sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>);
    MPI_Ialltoallw mpi_ialltoallw(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoallw_init mpi_alltoallw_init(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Reduce mpi_reduce(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Ireduce mpi_ireduce(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_init mpi_reduce_init(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Allreduce mpi_allreduce(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iallreduce mpi_iallreduce(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Allreduce_init mpi_allreduce_init(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Reduce_scatter mpi_reduce_scatter(sendbuf: Choice, recvbuf: Choice,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Ireduce_scatter mpi_ireduce_scatter(sendbuf: Choice, recvbuf: Choice,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_scatter_init mpi_reduce_scatter_init(sendbuf: Choice, recvbuf: Choice,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_scatter_block mpi_reduce_scatter_block(sendbuf: Choice, recvbuf: Choice,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Ireduce_scatter_block mpi_ireduce_scatter_block(sendbuf: Choice, recvbuf: Choice,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_scatter_block_init mpi_reduce_scatter_block_init(sendbuf: Choice, recvbuf: Choice,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Scan mpi_scan(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iscan mpi_iscan(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Scan_init mpi_scan_init(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Exscan mpi_exscan(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iexscan mpi_iexscan(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Exscan_init mpi_exscan_init(sendbuf: Choice, recvbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Reduce_local mpi_reduce_local(inbuf: Choice, inoutbuf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>);
}

fortran! { new
    MPI_Op_create_c mpi_op_create_c(user_fn: Function, commute: Value<c_int>, op: Made<Op>);
}

fortran! { described
    MPI_Bcast mpi_bcast(buffer: Copied, count: Value<c_int>, datatype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>);
    MPI_Bcast_c mpi_bcast_c(buffer: Copied, count: Value<MPI_Count>, datatype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>);
    MPI_Ibcast mpi_ibcast(buffer: Described, count: CountOf<c_int>[is_sparse(buffer)],
        datatype: TypeOf[section(buffer, at(count), datatype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Ibcast_c mpi_ibcast_c(buffer: Described, count: CountOf<MPI_Count>[is_sparse(buffer)],
        datatype: TypeOf[section(buffer, at(count), datatype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Bcast_init mpi_bcast_init(buffer: Described, count: CountOf<c_int>[is_sparse(buffer)],
        datatype: TypeOf[section(buffer, at(count), datatype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Bcast_init_c mpi_bcast_init_c(buffer: Described,
        count: CountOf<MPI_Count>[is_sparse(buffer)],
        datatype: TypeOf[section(buffer, at(count), datatype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Gather mpi_gather(sendbuf: Gathered, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Copied, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>);
    MPI_Gather_c mpi_gather_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Igather mpi_igather(sendbuf: Described, sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Igather_c mpi_igather_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Gather_init mpi_gather_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Gather_init_c mpi_gather_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Gatherv mpi_gatherv(sendbuf: Gathered, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Copied, recvcounts: Place<c_int>, displs: Place<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Gatherv_c mpi_gatherv_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcounts: Place<MPI_Count>,
        displs: Place<MPI_Aint>, recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Igatherv mpi_igatherv(sendbuf: Described, sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Igatherv_c mpi_igatherv_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, request: Made<Request>);
    MPI_Gatherv_init mpi_gatherv_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Gatherv_init_c mpi_gatherv_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        root: Value<c_int>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Scatter mpi_scatter(sendbuf: Gathered, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Copied, recvcount: Value<c_int>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>);
    MPI_Scatter_c mpi_scatter_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Iscatter mpi_iscatter(sendbuf: Dense, sendcount: Value<c_int>, sendtype: Given<Datatype>,
        recvbuf: Described, recvcount: CountOf<c_int>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Iscatter_c mpi_iscatter_c(sendbuf: Dense, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<MPI_Count>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Scatter_init mpi_scatter_init(sendbuf: Dense, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<c_int>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Scatter_init_c mpi_scatter_init_c(sendbuf: Dense, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<MPI_Count>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Scatterv mpi_scatterv(sendbuf: Gathered, sendcounts: Place<c_int>, displs: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Scatterv_c mpi_scatterv_c(sendbuf: Gathered, sendcounts: Place<MPI_Count>,
        displs: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, root: Value<c_int>,
        comm: Given<Comm>);
    MPI_Iscatterv mpi_iscatterv(sendbuf: Dense, sendcounts: Place<c_int>, displs: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<c_int>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Iscatterv_c mpi_iscatterv_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        displs: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<MPI_Count>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Scatterv_init mpi_scatterv_init(sendbuf: Dense, sendcounts: Place<c_int>,
        displs: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<c_int>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Scatterv_init_c mpi_scatterv_init_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        displs: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Described,
        recvcount: CountOf<MPI_Count>[is_sparse(recvbuf)],
        recvtype: TypeOf[section(recvbuf, at(recvcount), recvtype)], root: Value<c_int>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Allgather mpi_allgather(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Allgather_c mpi_allgather_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Iallgather mpi_iallgather(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Iallgather_c mpi_iallgather_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Allgather_init mpi_allgather_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Allgather_init_c mpi_allgather_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Allgatherv mpi_allgatherv(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Allgatherv_c mpi_allgatherv_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcounts: Place<MPI_Count>,
        displs: Place<MPI_Aint>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Iallgatherv mpi_iallgatherv(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Iallgatherv_c mpi_iallgatherv_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Allgatherv_init mpi_allgatherv_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Allgatherv_init_c mpi_allgatherv_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoall mpi_alltoall(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Alltoall_c mpi_alltoall_c(sendbuf: Gathered, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ialltoall mpi_ialltoall(sendbuf: Dense, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ialltoall_c mpi_ialltoall_c(sendbuf: Dense, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoall_init mpi_alltoall_init(sendbuf: Dense, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoall_init_c mpi_alltoall_init_c(sendbuf: Dense, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoallv mpi_alltoallv(sendbuf: Gathered, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>);
    MPI_Alltoallv_c mpi_alltoallv_c(sendbuf: Gathered, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>);
    MPI_Ialltoallv mpi_ialltoallv(sendbuf: Dense, sendcounts: Place<c_int>, sdispls: Place<c_int>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcounts: Place<c_int>,
        rdispls: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Ialltoallv_c mpi_ialltoallv_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoallv_init mpi_alltoallv_init(sendbuf: Dense, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Dense,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoallv_init_c mpi_alltoallv_init_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>, recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Alltoallw mpi_alltoallw(sendbuf: Gathered, sendcounts: Place<c_int>,
        sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Copied,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>);
    MPI_Alltoallw_c mpi_alltoallw_c(sendbuf: Gathered, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Copied,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>);
    MPI_Ialltoallw mpi_ialltoallw(sendbuf: Dense, sendcounts: Place<c_int>, sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Dense,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Ialltoallw_c mpi_ialltoallw_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Alltoallw_init mpi_alltoallw_init(sendbuf: Dense, sendcounts: Place<c_int>,
        sdispls: Place<c_int>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Dense,
        recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Alltoallw_init_c mpi_alltoallw_init_c(sendbuf: Dense, sendcounts: Place<MPI_Count>,
        sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[peers_unless_in_place(comm, sendbuf)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[peers(comm)], comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Reduce mpi_reduce(sendbuf: Gathered, recvbuf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Reduce_c mpi_reduce_c(sendbuf: Gathered, recvbuf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>);
    MPI_Ireduce mpi_ireduce(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Ireduce_c mpi_ireduce_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_init mpi_reduce_init(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_init_c mpi_reduce_init_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, root: Value<c_int>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Allreduce mpi_allreduce(sendbuf: Gathered, recvbuf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Allreduce_c mpi_allreduce_c(sendbuf: Gathered, recvbuf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iallreduce mpi_iallreduce(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Iallreduce_c mpi_iallreduce_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Allreduce_init mpi_allreduce_init(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Allreduce_init_c mpi_allreduce_init_c(sendbuf: Dense, recvbuf: Dense,
        count: Value<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_scatter mpi_reduce_scatter(sendbuf: Gathered, recvbuf: Copied,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Reduce_scatter_c mpi_reduce_scatter_c(sendbuf: Gathered, recvbuf: Copied,
        recvcounts: Place<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Ireduce_scatter mpi_ireduce_scatter(sendbuf: Dense, recvbuf: Dense,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Ireduce_scatter_c mpi_ireduce_scatter_c(sendbuf: Dense, recvbuf: Dense,
        recvcounts: Place<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_scatter_init mpi_reduce_scatter_init(sendbuf: Dense, recvbuf: Dense,
        recvcounts: Place<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_scatter_init_c mpi_reduce_scatter_init_c(sendbuf: Dense, recvbuf: Dense,
        recvcounts: Place<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_scatter_block mpi_reduce_scatter_block(sendbuf: Gathered, recvbuf: Copied,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Reduce_scatter_block_c mpi_reduce_scatter_block_c(sendbuf: Gathered, recvbuf: Copied,
        recvcount: Value<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Ireduce_scatter_block mpi_ireduce_scatter_block(sendbuf: Dense, recvbuf: Dense,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Ireduce_scatter_block_c mpi_ireduce_scatter_block_c(sendbuf: Dense, recvbuf: Dense,
        recvcount: Value<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Reduce_scatter_block_init mpi_reduce_scatter_block_init(sendbuf: Dense, recvbuf: Dense,
        recvcount: Value<c_int>, datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Reduce_scatter_block_init_c mpi_reduce_scatter_block_init_c(sendbuf: Dense,
        recvbuf: Dense, recvcount: Value<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Scan mpi_scan(sendbuf: Gathered, recvbuf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Scan_c mpi_scan_c(sendbuf: Gathered, recvbuf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iscan mpi_iscan(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Iscan_c mpi_iscan_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Scan_init mpi_scan_init(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Scan_init_c mpi_scan_init_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Exscan mpi_exscan(sendbuf: Gathered, recvbuf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Exscan_c mpi_exscan_c(sendbuf: Gathered, recvbuf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>);
    MPI_Iexscan mpi_iexscan(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Iexscan_c mpi_iexscan_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, request: Made<Request>);
    MPI_Exscan_init mpi_exscan_init(sendbuf: Dense, recvbuf: Dense, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Exscan_init_c mpi_exscan_init_c(sendbuf: Dense, recvbuf: Dense, count: Value<MPI_Count>,
        datatype: Given<Datatype>, op: Given<Op>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Reduce_local mpi_reduce_local(inbuf: Gathered, inoutbuf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, op: Given<Op>);
    MPI_Reduce_local_c mpi_reduce_local_c(inbuf: Gathered, inoutbuf: Copied,
        count: Value<MPI_Count>, datatype: Given<Datatype>, op: Given<Op>);
}
