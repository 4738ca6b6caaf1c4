//! Fortran entry points: communicators. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Group_compare mpi_group_compare(group1: Given<Group>, group2: Given<Group>,
        result: Place<c_int>);
    MPI_Group_difference mpi_group_difference(group1: Given<Group>, group2: Given<Group>,
        newgroup: Made<Group>);
    MPI_Group_excl mpi_group_excl(group: Given<Group>, n: Value<c_int>, ranks: Place<c_int>,
        newgroup: Made<Group>);
    MPI_Group_free mpi_group_free(group: Changed<Group>);
    MPI_Group_from_session_pset mpi_group_from_session_pset(session: Given<Session>,
        pset_name: TextIn[pset_name_len], newgroup: Made<Group>; pset_name_len);
    MPI_Group_incl mpi_group_incl(group: Given<Group>, n: Value<c_int>, ranks: Place<c_int>,
        newgroup: Made<Group>);
    MPI_Group_intersection mpi_group_intersection(group1: Given<Group>, group2: Given<Group>,
        newgroup: Made<Group>);
    MPI_Group_range_excl mpi_group_range_excl(group: Given<Group>, n: Value<c_int>,
        ranges: Place<c_int>, newgroup: Made<Group>);
    MPI_Group_range_incl mpi_group_range_incl(group: Given<Group>, n: Value<c_int>,
        ranges: Place<c_int>, newgroup: Made<Group>);
    MPI_Group_rank mpi_group_rank(group: Given<Group>, rank: Place<c_int>);
    MPI_Group_size mpi_group_size(group: Given<Group>, size: Place<c_int>);
    MPI_Group_translate_ranks mpi_group_translate_ranks(group1: Given<Group>, n: Value<c_int>,
        ranks1: Place<c_int>, group2: Given<Group>, ranks2: Place<c_int>);
    MPI_Group_union mpi_group_union(group1: Given<Group>, group2: Given<Group>,
        newgroup: Made<Group>);
    MPI_Comm_compare mpi_comm_compare(comm1: Given<Comm>, comm2: Given<Comm>, result: Place<c_int>);
    MPI_Comm_rank mpi_comm_rank(comm: Given<Comm>, rank: Place<c_int>);
    MPI_Comm_size mpi_comm_size(comm: Given<Comm>, size: Place<c_int>);
    MPI_Comm_dup mpi_comm_dup(comm: Given<Comm>, newcomm: Made<Comm>);
    MPI_Comm_dup_with_info mpi_comm_dup_with_info(comm: Given<Comm>, info: Given<Info>,
        newcomm: Made<Comm>);
    MPI_Comm_idup mpi_comm_idup(comm: Given<Comm>, newcomm: Made<Comm>, request: Made<Request>);
    MPI_Comm_idup_with_info mpi_comm_idup_with_info(comm: Given<Comm>, info: Given<Info>,
        newcomm: Made<Comm>, request: Made<Request>);
    MPI_Comm_create mpi_comm_create(comm: Given<Comm>, group: Given<Group>, newcomm: Made<Comm>);
    MPI_Comm_create_from_group mpi_comm_create_from_group(group: Given<Group>,
        stringtag: TextIn[stringtag_len], info: Given<Info>, errhandler: Given<Errhandler>,
        newcomm: Made<Comm>; stringtag_len);
    MPI_Comm_create_group mpi_comm_create_group(comm: Given<Comm>, group: Given<Group>,
        tag: Value<c_int>, newcomm: Made<Comm>);
    MPI_Comm_split mpi_comm_split(comm: Given<Comm>, color: Value<c_int>, key: Value<c_int>,
        newcomm: Made<Comm>);
    MPI_Comm_split_type mpi_comm_split_type(comm: Given<Comm>, split_type: Value<c_int>,
        key: Value<c_int>, info: Given<Info>, newcomm: Made<Comm>);
    MPI_Comm_free mpi_comm_free(comm: Changed<Comm>);
    MPI_Comm_get_info mpi_comm_get_info(comm: Given<Comm>, info_used: Made<Info>);
    MPI_Comm_get_name mpi_comm_get_name(comm: Given<Comm>, comm_name: TextOut[comm_name_len],
        resultlen: Place<c_int>; comm_name_len);
    MPI_Comm_set_info mpi_comm_set_info(comm: Given<Comm>, info: Given<Info>);
    MPI_Comm_set_name mpi_comm_set_name(comm: Given<Comm>, comm_name: TextIn[comm_name_len];
        comm_name_len);
    MPI_Comm_group mpi_comm_group(comm: Given<Comm>, group: Made<Group>);
    MPI_Comm_test_inter mpi_comm_test_inter(comm: Given<Comm>, flag: Place<c_int>);
    MPI_Comm_remote_group mpi_comm_remote_group(comm: Given<Comm>, group: Made<Group>);
    MPI_Comm_remote_size mpi_comm_remote_size(comm: Given<Comm>, size: Place<c_int>);
    MPI_Intercomm_create mpi_intercomm_create(local_comm: Given<Comm>, local_leader: Value<c_int>,
        peer_comm: Given<Comm>, remote_leader: Value<c_int>, tag: Value<c_int>,
        newintercomm: Made<Comm>);
    MPI_Intercomm_create_from_groups mpi_intercomm_create_from_groups(local_group: Given<Group>,
        local_leader: Value<c_int>, remote_group: Given<Group>, remote_leader: Value<c_int>,
        stringtag: TextIn[stringtag_len], info: Given<Info>, errhandler: Given<Errhandler>,
        newintercomm: Made<Comm>; stringtag_len);
    MPI_Intercomm_merge mpi_intercomm_merge(intercomm: Given<Comm>, high: Value<c_int>,
        newintracomm: Made<Comm>);
    MPI_Comm_get_parent mpi_comm_get_parent(parent: Made<Comm>);
    MPI_Comm_accept mpi_comm_accept(port_name: TextIn[port_name_len], info: Given<Info>,
        root: Value<c_int>, comm: Given<Comm>, newcomm: Made<Comm>; port_name_len);
    MPI_Comm_connect mpi_comm_connect(port_name: TextIn[port_name_len], info: Given<Info>,
        root: Value<c_int>, comm: Given<Comm>, newcomm: Made<Comm>; port_name_len);
    MPI_Comm_disconnect mpi_comm_disconnect(comm: Changed<Comm>);
    MPI_Comm_join mpi_comm_join(fd: Value<c_int>, intercomm: Made<Comm>);
    MPI_Open_port mpi_open_port(info: Given<Info>, port_name: TextOut[port_name_len];
        port_name_len);
    MPI_Close_port mpi_close_port(port_name: TextIn[port_name_len]; port_name_len);
    MPI_Lookup_name mpi_lookup_name(service_name: TextIn[service_name_len], info: Given<Info>,
        port_name: TextOut[port_name_len]; service_name_len, port_name_len);
    MPI_Publish_name mpi_publish_name(service_name: TextIn[service_name_len], info: Given<Info>,
        port_name: TextIn[port_name_len]; service_name_len, port_name_len);
    MPI_Unpublish_name mpi_unpublish_name(service_name: TextIn[service_name_len],
        info: Given<Info>, port_name: TextIn[port_name_len]; service_name_len, port_name_len);
}
