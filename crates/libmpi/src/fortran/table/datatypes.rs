//! Fortran entry points: datatypes. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_Type_contiguous mpi_type_contiguous(count: Value<c_int>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_vector mpi_type_vector(count: Value<c_int>, blocklength: Value<c_int>,
        stride: Value<c_int>, oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_hvector mpi_type_create_hvector(count: Value<c_int>,
        blocklength: Value<c_int>, stride: Value<MPI_Aint>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_indexed mpi_type_indexed(count: Value<c_int>, array_of_blocklengths: Place<c_int>,
        array_of_displacements: Place<c_int>, oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_hindexed mpi_type_create_hindexed(count: Value<c_int>,
        array_of_blocklengths: Place<c_int>, array_of_displacements: Place<MPI_Aint>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_indexed_block mpi_type_create_indexed_block(count: Value<c_int>,
        blocklength: Value<c_int>, array_of_displacements: Place<c_int>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_create_hindexed_block mpi_type_create_hindexed_block(count: Value<c_int>,
        blocklength: Value<c_int>, array_of_displacements: Place<MPI_Aint>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_struct mpi_type_create_struct(count: Value<c_int>,
        array_of_blocklengths: Place<c_int>, array_of_displacements: Place<MPI_Aint>,
        array_of_types: GivenAll<Datatype>[at(count)], newtype: Made<Datatype>);
    MPI_Type_create_subarray mpi_type_create_subarray(ndims: Value<c_int>,
        array_of_sizes: Place<c_int>, array_of_subsizes: Place<c_int>,
        array_of_starts: Place<c_int>, order: Value<c_int>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_create_darray mpi_type_create_darray(size: Value<c_int>, rank: Value<c_int>,
        ndims: Value<c_int>, array_of_gsizes: Place<c_int>, array_of_distribs: Place<c_int>,
        array_of_dargs: Place<c_int>, array_of_psizes: Place<c_int>, order: Value<c_int>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_resized mpi_type_create_resized(oldtype: Given<Datatype>, lb: Value<MPI_Aint>,
        extent: Value<MPI_Aint>, newtype: Made<Datatype>);
    MPI_Type_dup mpi_type_dup(oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_f90_complex mpi_type_create_f90_complex(p: Value<c_int>, r: Value<c_int>,
        newtype: Made<Datatype>);
    MPI_Type_create_f90_integer mpi_type_create_f90_integer(r: Value<c_int>,
        newtype: Made<Datatype>);
    MPI_Type_create_f90_real mpi_type_create_f90_real(p: Value<c_int>, r: Value<c_int>,
        newtype: Made<Datatype>);
    MPI_Type_match_size mpi_type_match_size(typeclass: Value<c_int>, size: Value<c_int>,
        datatype: Made<Datatype>);
    MPI_Type_get_value_index mpi_type_get_value_index(value_type: Given<Datatype>,
        index_type: Given<Datatype>, pair_type: Made<Datatype>);
    MPI_Type_commit mpi_type_commit(datatype: Changed<Datatype>);
    MPI_Type_free mpi_type_free(datatype: Changed<Datatype>);
    MPI_Type_get_name mpi_type_get_name(datatype: Given<Datatype>,
        type_name: TextOut[type_name_len], resultlen: Place<c_int>; type_name_len);
    MPI_Type_set_name mpi_type_set_name(datatype: Given<Datatype>,
        type_name: TextIn[type_name_len]; type_name_len);
    MPI_Type_size mpi_type_size(datatype: Given<Datatype>, size: Place<c_int>);
    MPI_Type_get_extent mpi_type_get_extent(datatype: Given<Datatype>, lb: Place<MPI_Aint>,
        extent: Place<MPI_Aint>);
    MPI_Type_get_true_extent mpi_type_get_true_extent(datatype: Given<Datatype>,
        true_lb: Place<MPI_Aint>, true_extent: Place<MPI_Aint>);
    MPI_Type_get_envelope mpi_type_get_envelope(datatype: Given<Datatype>,
        num_integers: Place<c_int>, num_addresses: Place<c_int>, num_datatypes: Place<c_int>,
        combiner: Place<c_int>);
    MPI_Type_get_contents mpi_type_get_contents(datatype: Given<Datatype>,
        max_integers: Value<c_int>, max_addresses: Value<c_int>, max_datatypes: Value<c_int>,
        array_of_integers: Place<c_int>, array_of_addresses: Place<MPI_Aint>,
        array_of_datatypes: MadeAll<Datatype>[at(max_datatypes)]);
    MPI_Pack_size mpi_pack_size(incount: Value<c_int>, datatype: Given<Datatype>,
        comm: Given<Comm>, size: Place<c_int>);
    MPI_Pack_external_size mpi_pack_external_size(datarep: TextIn[datarep_len],
        incount: Value<c_int>, datatype: Given<Datatype>, size: Place<MPI_Aint>; datarep_len);
}

fortran! { old
    MPI_Get_address mpi_get_address(location: Choice, address: Place<MPI_Aint>);
    MPI_Pack mpi_pack(inbuf: Choice, incount: Value<c_int>, datatype: Given<Datatype>,
        outbuf: Choice, outsize: Value<c_int>, position: Place<c_int>, comm: Given<Comm>);
    MPI_Unpack mpi_unpack(inbuf: Choice, insize: Value<c_int>, position: Place<c_int>,
        outbuf: Choice, outcount: Value<c_int>, datatype: Given<Datatype>, comm: Given<Comm>);
    MPI_Pack_external mpi_pack_external(datarep: TextIn[datarep_len], inbuf: Choice,
        incount: Value<c_int>, datatype: Given<Datatype>, outbuf: Choice,
        outsize: Value<MPI_Aint>, position: Place<MPI_Aint>; datarep_len);
    MPI_Unpack_external mpi_unpack_external(datarep: TextIn[datarep_len], inbuf: Choice,
        insize: Value<MPI_Aint>, position: Place<MPI_Aint>, outbuf: Choice,
        outcount: Value<c_int>, datatype: Given<Datatype>; datarep_len);
}

fortran! { new
    MPI_Type_contiguous_c mpi_type_contiguous_c(count: Value<MPI_Count>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_vector_c mpi_type_vector_c(count: Value<MPI_Count>, blocklength: Value<MPI_Count>,
        stride: Value<MPI_Count>, oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_hvector_c mpi_type_create_hvector_c(count: Value<MPI_Count>,
        blocklength: Value<MPI_Count>, stride: Value<MPI_Count>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_indexed_c mpi_type_indexed_c(count: Value<MPI_Count>,
        array_of_blocklengths: Place<MPI_Count>, array_of_displacements: Place<MPI_Count>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_hindexed_c mpi_type_create_hindexed_c(count: Value<MPI_Count>,
        array_of_blocklengths: Place<MPI_Count>, array_of_displacements: Place<MPI_Count>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_indexed_block_c mpi_type_create_indexed_block_c(count: Value<MPI_Count>,
        blocklength: Value<MPI_Count>, array_of_displacements: Place<MPI_Count>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_hindexed_block_c mpi_type_create_hindexed_block_c(count: Value<MPI_Count>,
        blocklength: Value<MPI_Count>, array_of_displacements: Place<MPI_Count>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_struct_c mpi_type_create_struct_c(count: Value<MPI_Count>,
        array_of_blocklengths: Place<MPI_Count>, array_of_displacements: Place<MPI_Count>,
        array_of_types: GivenAll<Datatype>[at(count)], newtype: Made<Datatype>);
    MPI_Type_create_subarray_c mpi_type_create_subarray_c(ndims: Value<c_int>,
        array_of_sizes: Place<MPI_Count>, array_of_subsizes: Place<MPI_Count>,
        array_of_starts: Place<MPI_Count>, order: Value<c_int>, oldtype: Given<Datatype>,
        newtype: Made<Datatype>);
    MPI_Type_create_darray_c mpi_type_create_darray_c(size: Value<c_int>, rank: Value<c_int>,
        ndims: Value<c_int>, array_of_gsizes: Place<MPI_Count>, array_of_distribs: Place<c_int>,
        array_of_dargs: Place<c_int>, array_of_psizes: Place<c_int>, order: Value<c_int>,
        oldtype: Given<Datatype>, newtype: Made<Datatype>);
    MPI_Type_create_resized_c mpi_type_create_resized_c(oldtype: Given<Datatype>,
        lb: Value<MPI_Count>, extent: Value<MPI_Count>, newtype: Made<Datatype>);
    MPI_Type_size_c mpi_type_size_c(datatype: Given<Datatype>, size: Place<MPI_Count>);
    MPI_Type_get_extent_c mpi_type_get_extent_c(datatype: Given<Datatype>, lb: Place<MPI_Count>,
        extent: Place<MPI_Count>);
    MPI_Type_get_true_extent_c mpi_type_get_true_extent_c(datatype: Given<Datatype>,
        true_lb: Place<MPI_Count>, true_extent: Place<MPI_Count>);
    MPI_Type_get_envelope_c mpi_type_get_envelope_c(datatype: Given<Datatype>,
        num_integers: Place<MPI_Count>, num_addresses: Place<MPI_Count>,
        num_large_counts: Place<MPI_Count>, num_datatypes: Place<MPI_Count>,
        combiner: Place<c_int>);
    MPI_Type_get_contents_c mpi_type_get_contents_c(datatype: Given<Datatype>,
        max_integers: Value<MPI_Count>, max_addresses: Value<MPI_Count>,
        max_large_counts: Value<MPI_Count>, max_datatypes: Value<MPI_Count>,
        array_of_integers: Place<c_int>, array_of_addresses: Place<MPI_Aint>,
        array_of_large_counts: Place<MPI_Count>,
        array_of_datatypes: MadeAll<Datatype>[at(max_datatypes)]);
    MPI_Pack_size_c mpi_pack_size_c(incount: Value<MPI_Count>, datatype: Given<Datatype>,
        comm: Given<Comm>, size: Place<MPI_Count>);
    MPI_Pack_external_c mpi_pack_external_c(datarep: TextIn[datarep_len], inbuf: Choice,
        incount: Value<MPI_Count>, datatype: Given<Datatype>, outbuf: Choice,
        outsize: Value<MPI_Count>, position: Place<MPI_Count>; datarep_len);
    MPI_Unpack_external_c mpi_unpack_external_c(datarep: TextIn[datarep_len], inbuf: Choice,
        insize: Value<MPI_Count>, position: Place<MPI_Count>, outbuf: Choice,
        outcount: Value<MPI_Count>, datatype: Given<Datatype>; datarep_len);
    MPI_Pack_external_size_c mpi_pack_external_size_c(datarep: TextIn[datarep_len],
        incount: Value<MPI_Count>, datatype: Given<Datatype>, size: Place<MPI_Count>; datarep_len);
}

fortran! { new
    MPI_Pack_external mpi_pack_external(datarep: TextIn[datarep_len], inbuf: Choice,
        incount: Value<c_int>, datatype: Given<Datatype>, outbuf: Choice,
        outsize: Value<MPI_Aint>, position: Place<MPI_Aint>; datarep_len);
    MPI_Unpack_external mpi_unpack_external(datarep: TextIn[datarep_len], inbuf: Choice,
        insize: Value<MPI_Aint>, position: Place<MPI_Aint>, outbuf: Choice,
        outcount: Value<c_int>, datatype: Given<Datatype>; datarep_len);
}

fortran! { described
    MPI_Get_address mpi_get_address(location: Placed, address: Place<MPI_Aint>);
    MPI_Pack mpi_pack(inbuf: Gathered, incount: Value<c_int>, datatype: Given<Datatype>,
        outbuf: Copied, outsize: Value<c_int>, position: Place<c_int>, comm: Given<Comm>);
    MPI_Pack_c mpi_pack_c(inbuf: Gathered, incount: Value<MPI_Count>, datatype: Given<Datatype>,
        outbuf: Copied, outsize: Value<MPI_Count>, position: Place<MPI_Count>, comm: Given<Comm>);
    MPI_Unpack mpi_unpack(inbuf: Gathered, insize: Value<c_int>, position: Place<c_int>,
        outbuf: Copied, outcount: Value<c_int>, datatype: Given<Datatype>, comm: Given<Comm>);
    MPI_Unpack_c mpi_unpack_c(inbuf: Gathered, insize: Value<MPI_Count>,
        position: Place<MPI_Count>, outbuf: Copied, outcount: Value<MPI_Count>,
        datatype: Given<Datatype>, comm: Given<Comm>);
}
