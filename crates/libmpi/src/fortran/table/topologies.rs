//! Fortran entry points: topologies. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Dims_create mpi_dims_create(nnodes: Value<c_int>, ndims: Value<c_int>, dims: Place<c_int>);
    MPI_Cart_create mpi_cart_create(comm_old: Given<Comm>, ndims: Value<c_int>,
        dims: Place<c_int>, periods: Place<c_int>, reorder: Value<c_int>, comm_cart: Made<Comm>);
    MPI_Cartdim_get mpi_cartdim_get(comm: Given<Comm>, ndims: Place<c_int>);
    MPI_Cart_coords mpi_cart_coords(comm: Given<Comm>, rank: Value<c_int>, maxdims: Value<c_int>,
        coords: Place<c_int>);
    MPI_Cart_get mpi_cart_get(comm: Given<Comm>, maxdims: Value<c_int>, dims: Place<c_int>,
        periods: Place<c_int>, coords: Place<c_int>);
    MPI_Cart_map mpi_cart_map(comm: Given<Comm>, ndims: Value<c_int>, dims: Place<c_int>,
        periods: Place<c_int>, newrank: Place<c_int>);
    MPI_Cart_rank mpi_cart_rank(comm: Given<Comm>, coords: Place<c_int>, rank: Place<c_int>);
    MPI_Cart_shift mpi_cart_shift(comm: Given<Comm>, direction: Value<c_int>, disp: Value<c_int>,
        rank_source: Place<c_int>, rank_dest: Place<c_int>);
    MPI_Cart_sub mpi_cart_sub(comm: Given<Comm>, remain_dims: Place<c_int>, newcomm: Made<Comm>);
    MPI_Graph_create mpi_graph_create(comm_old: Given<Comm>, nnodes: Value<c_int>,
        indx: Place<c_int>, edges: Place<c_int>, reorder: Value<c_int>, comm_graph: Made<Comm>);
    MPI_Graphdims_get mpi_graphdims_get(comm: Given<Comm>, nnodes: Place<c_int>,
        nedges: Place<c_int>);
    MPI_Graph_get mpi_graph_get(comm: Given<Comm>, maxindex: Value<c_int>, maxedges: Value<c_int>,
        indx: Place<c_int>, edges: Place<c_int>);
    MPI_Graph_map mpi_graph_map(comm: Given<Comm>, nnodes: Value<c_int>, indx: Place<c_int>,
        edges: Place<c_int>, newrank: Place<c_int>);
    MPI_Graph_neighbors mpi_graph_neighbors(comm: Given<Comm>, rank: Value<c_int>,
        maxneighbors: Value<c_int>, neighbors: Place<c_int>);
    MPI_Graph_neighbors_count mpi_graph_neighbors_count(comm: Given<Comm>, rank: Value<c_int>,
        nneighbors: Place<c_int>);
    MPI_Dist_graph_create mpi_dist_graph_create(comm_old: Given<Comm>, n: Value<c_int>,
        sources: Place<c_int>, degrees: Place<c_int>, destinations: Place<c_int>,
        weights: Weights, info: Given<Info>, reorder: Value<c_int>, comm_dist_graph: Made<Comm>);
    MPI_Dist_graph_create_adjacent mpi_dist_graph_create_adjacent(comm_old: Given<Comm>,
        indegree: Value<c_int>, sources: Place<c_int>, sourceweights: Weights,
        outdegree: Value<c_int>, destinations: Place<c_int>, destweights: Weights,
        info: Given<Info>, reorder: Value<c_int>, comm_dist_graph: Made<Comm>);
    MPI_Dist_graph_neighbors mpi_dist_graph_neighbors(comm: Given<Comm>,
        maxindegree: Value<c_int>, sources: Place<c_int>, sourceweights: Weights,
        maxoutdegree: Value<c_int>, destinations: Place<c_int>, destweights: Weights);
    MPI_Dist_graph_neighbors_count mpi_dist_graph_neighbors_count(comm: Given<Comm>,
        indegree: Place<c_int>, outdegree: Place<c_int>, weighted: Place<c_int>);
    MPI_Topo_test mpi_topo_test(comm: Given<Comm>, status: Place<c_int>);
}

fortran! { old
    MPI_Neighbor_allgather mpi_neighbor_allgather(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_allgather mpi_ineighbor_allgather(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_allgather_init mpi_neighbor_allgather_init(sendbuf: Choice,
        sendcount: Value<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Neighbor_allgatherv mpi_neighbor_allgatherv(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_allgatherv mpi_ineighbor_allgatherv(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_allgatherv_init mpi_neighbor_allgatherv_init(sendbuf: Choice,
        sendcount: Value<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoall mpi_neighbor_alltoall(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_alltoall mpi_ineighbor_alltoall(sendbuf: Choice, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Choice, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoall_init mpi_neighbor_alltoall_init(sendbuf: Choice,
        sendcount: Value<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Neighbor_alltoallv mpi_neighbor_alltoallv(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>);
    MPI_Ineighbor_alltoallv mpi_ineighbor_alltoallv(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoallv_init mpi_neighbor_alltoallv_init(sendbuf: Choice,
        sendcounts: Place<c_int>, sdispls: Place<c_int>, sendtype: Given<Datatype>,
        recvbuf: Choice, recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoallw mpi_neighbor_alltoallw(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<MPI_Aint>, sendtypes: GivenAll<Datatype>[out_degree(comm)],
        recvbuf: Choice, recvcounts: Place<c_int>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>);
    MPI_Ineighbor_alltoallw mpi_ineighbor_alltoallw(sendbuf: Choice, sendcounts: Place<c_int>,
        sdispls: Place<MPI_Aint>, sendtypes: GivenAll<Datatype>[out_degree(comm)],
        recvbuf: Choice, recvcounts: Place<c_int>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoallw_init mpi_neighbor_alltoallw_init(sendbuf: Choice,
        sendcounts: Place<c_int>, sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Choice,
        recvcounts: Place<c_int>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
}

fortran! { described
    MPI_Neighbor_allgather mpi_neighbor_allgather(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Neighbor_allgather_c mpi_neighbor_allgather_c(sendbuf: Gathered,
        sendcount: Value<MPI_Count>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_allgather mpi_ineighbor_allgather(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Ineighbor_allgather_c mpi_ineighbor_allgather_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>,
        request: Made<Request>);
    MPI_Neighbor_allgather_init mpi_neighbor_allgather_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
    MPI_Neighbor_allgather_init_c mpi_neighbor_allgather_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_allgatherv mpi_neighbor_allgatherv(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcounts: Place<c_int>,
        displs: Place<c_int>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Neighbor_allgatherv_c mpi_neighbor_allgatherv_c(sendbuf: Gathered,
        sendcount: Value<MPI_Count>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>);
    MPI_Ineighbor_allgatherv mpi_ineighbor_allgatherv(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Ineighbor_allgatherv_c mpi_ineighbor_allgatherv_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_allgatherv_init mpi_neighbor_allgatherv_init(sendbuf: Described,
        sendcount: CountOf<c_int>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<c_int>, displs: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_allgatherv_init_c mpi_neighbor_allgatherv_init_c(sendbuf: Described,
        sendcount: CountOf<MPI_Count>[is_sparse(sendbuf)],
        sendtype: TypeOf[section(sendbuf, at(sendcount), sendtype)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, displs: Place<MPI_Aint>, recvtype: Given<Datatype>,
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoall mpi_neighbor_alltoall(sendbuf: Gathered, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Copied, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Neighbor_alltoall_c mpi_neighbor_alltoall_c(sendbuf: Gathered,
        sendcount: Value<MPI_Count>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_alltoall mpi_ineighbor_alltoall(sendbuf: Dense, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Ineighbor_alltoall_c mpi_ineighbor_alltoall_c(sendbuf: Dense, sendcount: Value<MPI_Count>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<MPI_Count>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoall_init mpi_neighbor_alltoall_init(sendbuf: Dense, sendcount: Value<c_int>,
        sendtype: Given<Datatype>, recvbuf: Dense, recvcount: Value<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoall_init_c mpi_neighbor_alltoall_init_c(sendbuf: Dense,
        sendcount: Value<MPI_Count>, sendtype: Given<Datatype>, recvbuf: Dense,
        recvcount: Value<MPI_Count>, recvtype: Given<Datatype>, comm: Given<Comm>,
        info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoallv mpi_neighbor_alltoallv(sendbuf: Gathered, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Copied,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>);
    MPI_Neighbor_alltoallv_c mpi_neighbor_alltoallv_c(sendbuf: Gathered,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>,
        recvbuf: Copied, recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtype: Given<Datatype>, comm: Given<Comm>);
    MPI_Ineighbor_alltoallv mpi_ineighbor_alltoallv(sendbuf: Dense, sendcounts: Place<c_int>,
        sdispls: Place<c_int>, sendtype: Given<Datatype>, recvbuf: Dense,
        recvcounts: Place<c_int>, rdispls: Place<c_int>, recvtype: Given<Datatype>,
        comm: Given<Comm>, request: Made<Request>);
    MPI_Ineighbor_alltoallv_c mpi_ineighbor_alltoallv_c(sendbuf: Dense,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>,
        recvbuf: Dense, recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtype: Given<Datatype>, comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoallv_init mpi_neighbor_alltoallv_init(sendbuf: Dense,
        sendcounts: Place<c_int>, sdispls: Place<c_int>, sendtype: Given<Datatype>,
        recvbuf: Dense, recvcounts: Place<c_int>, rdispls: Place<c_int>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoallv_init_c mpi_neighbor_alltoallv_init_c(sendbuf: Dense,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>, sendtype: Given<Datatype>,
        recvbuf: Dense, recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtype: Given<Datatype>, comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoallw mpi_neighbor_alltoallw(sendbuf: Gathered, sendcounts: Place<c_int>,
        sdispls: Place<MPI_Aint>, sendtypes: GivenAll<Datatype>[out_degree(comm)],
        recvbuf: Copied, recvcounts: Place<c_int>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>);
    MPI_Neighbor_alltoallw_c mpi_neighbor_alltoallw_c(sendbuf: Gathered,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Copied,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>);
    MPI_Ineighbor_alltoallw mpi_ineighbor_alltoallw(sendbuf: Dense, sendcounts: Place<c_int>,
        sdispls: Place<MPI_Aint>, sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Dense,
        recvcounts: Place<c_int>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Ineighbor_alltoallw_c mpi_ineighbor_alltoallw_c(sendbuf: Dense,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>, request: Made<Request>);
    MPI_Neighbor_alltoallw_init mpi_neighbor_alltoallw_init(sendbuf: Dense,
        sendcounts: Place<c_int>, sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Dense, recvcounts: Place<c_int>,
        rdispls: Place<MPI_Aint>, recvtypes: GivenAll<Datatype>[in_degree(comm)],
        comm: Given<Comm>, info: Given<Info>, request: Made<Request>);
    MPI_Neighbor_alltoallw_init_c mpi_neighbor_alltoallw_init_c(sendbuf: Dense,
        sendcounts: Place<MPI_Count>, sdispls: Place<MPI_Aint>,
        sendtypes: GivenAll<Datatype>[out_degree(comm)], recvbuf: Dense,
        recvcounts: Place<MPI_Count>, rdispls: Place<MPI_Aint>,
        recvtypes: GivenAll<Datatype>[in_degree(comm)], comm: Given<Comm>, info: Given<Info>,
        request: Made<Request>);
}
