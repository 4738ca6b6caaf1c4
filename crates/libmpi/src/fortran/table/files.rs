//! Fortran entry points: files. Written by `cargo xtask fortran`.

#[allow(unused_imports)]
use crate::abi::*;
#[allow(unused_imports)]
use crate::fortran::argument::*;
use crate::fortran::call::fortran;
#[allow(unused_imports)]
use std::ffi::c_int;

fortran! { both
    MPI_File_close mpi_file_close(fh: Changed<File>);
    MPI_File_delete mpi_file_delete(filename: TextIn[filename_len], info: Given<Info>;
        filename_len);
    MPI_File_get_amode mpi_file_get_amode(fh: Given<File>, amode: Place<c_int>);
    MPI_File_get_group mpi_file_get_group(fh: Given<File>, group: Made<Group>);
    MPI_File_get_info mpi_file_get_info(fh: Given<File>, info_used: Made<Info>);
    MPI_File_get_size mpi_file_get_size(fh: Given<File>, size: Place<MPI_Offset>);
    MPI_File_open mpi_file_open(comm: Given<Comm>, filename: TextIn[filename_len],
        amode: Value<c_int>, info: Given<Info>, fh: Made<File>; filename_len);
    MPI_File_preallocate mpi_file_preallocate(fh: Given<File>, size: Value<MPI_Offset>);
    MPI_File_set_info mpi_file_set_info(fh: Given<File>, info: Given<Info>);
    MPI_File_set_size mpi_file_set_size(fh: Given<File>, size: Value<MPI_Offset>);
    MPI_File_get_view mpi_file_get_view(fh: Given<File>, disp: Place<MPI_Offset>,
        etype: Made<Datatype>, filetype: Made<Datatype>, datarep: TextOut[datarep_len];
        datarep_len);
    MPI_File_set_view mpi_file_set_view(fh: Given<File>, disp: Value<MPI_Offset>,
        etype: Given<Datatype>, filetype: Given<Datatype>, datarep: TextIn[datarep_len],
        info: Given<Info>; datarep_len);
    MPI_File_seek mpi_file_seek(fh: Given<File>, offset: Value<MPI_Offset>, whence: Value<c_int>);
    MPI_File_seek_shared mpi_file_seek_shared(fh: Given<File>, offset: Value<MPI_Offset>,
        whence: Value<c_int>);
    MPI_File_get_byte_offset mpi_file_get_byte_offset(fh: Given<File>, offset: Value<MPI_Offset>,
        disp: Place<MPI_Offset>);
    MPI_File_get_position mpi_file_get_position(fh: Given<File>, offset: Place<MPI_Offset>);
    MPI_File_get_position_shared mpi_file_get_position_shared(fh: Given<File>,
        offset: Place<MPI_Offset>);
    MPI_File_get_type_extent mpi_file_get_type_extent(fh: Given<File>, datatype: Given<Datatype>,
        extent: Place<MPI_Aint>);
    MPI_File_get_atomicity mpi_file_get_atomicity(fh: Given<File>, flag: Place<c_int>);
    MPI_File_set_atomicity mpi_file_set_atomicity(fh: Given<File>, flag: Value<c_int>);
    MPI_File_sync mpi_file_sync(fh: Given<File>);
}

fortran! { old
    MPI_File_read mpi_file_read(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_all mpi_file_read_all(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_all_begin mpi_file_read_all_begin(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_read_all_end mpi_file_read_all_end(fh: Given<File>, buf: Choice, status: Status);
    MPI_File_read_at mpi_file_read_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_all mpi_file_read_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Choice, count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_all_begin mpi_file_read_at_all_begin(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Choice, count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_read_at_all_end mpi_file_read_at_all_end(fh: Given<File>, buf: Choice, status: Status);
    MPI_File_read_ordered mpi_file_read_ordered(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_ordered_begin mpi_file_read_ordered_begin(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_read_ordered_end mpi_file_read_ordered_end(fh: Given<File>, buf: Choice,
        status: Status);
    MPI_File_read_shared mpi_file_read_shared(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_iread mpi_file_iread(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iread_all mpi_file_iread_all(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iread_at mpi_file_iread_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iread_at_all mpi_file_iread_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Choice, count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iread_shared mpi_file_iread_shared(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_write mpi_file_write(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_write_all mpi_file_write_all(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_write_all_begin mpi_file_write_all_begin(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_write_all_end mpi_file_write_all_end(fh: Given<File>, buf: Choice, status: Status);
    MPI_File_write_at mpi_file_write_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_all mpi_file_write_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Choice, count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_all_begin mpi_file_write_at_all_begin(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Choice, count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_write_at_all_end mpi_file_write_at_all_end(fh: Given<File>, buf: Choice,
        status: Status);
    MPI_File_write_ordered mpi_file_write_ordered(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_ordered_begin mpi_file_write_ordered_begin(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>);
    MPI_File_write_ordered_end mpi_file_write_ordered_end(fh: Given<File>, buf: Choice,
        status: Status);
    MPI_File_write_shared mpi_file_write_shared(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_iwrite mpi_file_iwrite(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iwrite_all mpi_file_iwrite_all(fh: Given<File>, buf: Choice, count: Value<c_int>,
        datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iwrite_at mpi_file_iwrite_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iwrite_at_all mpi_file_iwrite_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Choice, count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);
    MPI_File_iwrite_shared mpi_file_iwrite_shared(fh: Given<File>, buf: Choice,
        count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);
}

fortran! { new
    MPI_File_get_type_extent_c mpi_file_get_type_extent_c(fh: Given<File>,
        datatype: Given<Datatype>, extent: Place<MPI_Count>);
}

fortran! { described
    MPI_File_read mpi_file_read(fh: Given<File>, buf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_c mpi_file_read_c(fh: Given<File>, buf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_all mpi_file_read_all(fh: Given<File>, buf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_all_c mpi_file_read_all_c(fh: Given<File>, buf: Copied, count: Value<MPI_Count>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_all_begin mpi_file_read_all_begin(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)], datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_all_begin_c mpi_file_read_all_begin_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_all_end mpi_file_read_all_end(fh: Given<File>, buf: Dense, status: Status);
    MPI_File_read_at mpi_file_read_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Copied,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_c mpi_file_read_at_c(fh: Given<File>, offset: Value<MPI_Offset>, buf: Copied,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_all mpi_file_read_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Copied, count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_all_c mpi_file_read_at_all_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Copied, count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_at_all_begin mpi_file_read_at_all_begin(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_at_all_begin_c mpi_file_read_at_all_begin_c(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_at_all_end mpi_file_read_at_all_end(fh: Given<File>, buf: Dense, status: Status);
    MPI_File_read_ordered mpi_file_read_ordered(fh: Given<File>, buf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_ordered_c mpi_file_read_ordered_c(fh: Given<File>, buf: Copied,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_read_ordered_begin mpi_file_read_ordered_begin(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)], datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_ordered_begin_c mpi_file_read_ordered_begin_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_read_ordered_end mpi_file_read_ordered_end(fh: Given<File>, buf: Dense,
        status: Status);
    MPI_File_read_shared mpi_file_read_shared(fh: Given<File>, buf: Copied, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_read_shared_c mpi_file_read_shared_c(fh: Given<File>, buf: Copied,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_iread mpi_file_iread(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_c mpi_file_iread_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_all mpi_file_iread_all(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_all_c mpi_file_iread_all_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_at mpi_file_iread_at(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_at_c mpi_file_iread_at_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_at_all mpi_file_iread_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_at_all_c mpi_file_iread_at_all_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_shared mpi_file_iread_shared(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iread_shared_c mpi_file_iread_shared_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_write mpi_file_write(fh: Given<File>, buf: Gathered, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_write_c mpi_file_write_c(fh: Given<File>, buf: Gathered, count: Value<MPI_Count>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_write_all mpi_file_write_all(fh: Given<File>, buf: Gathered, count: Value<c_int>,
        datatype: Given<Datatype>, status: Status);
    MPI_File_write_all_c mpi_file_write_all_c(fh: Given<File>, buf: Gathered,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_all_begin mpi_file_write_all_begin(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)], datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_all_begin_c mpi_file_write_all_begin_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_all_end mpi_file_write_all_end(fh: Given<File>, buf: Dense, status: Status);
    MPI_File_write_at mpi_file_write_at(fh: Given<File>, offset: Value<MPI_Offset>, buf: Gathered,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_c mpi_file_write_at_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_all mpi_file_write_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Gathered, count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_all_c mpi_file_write_at_all_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Gathered, count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_at_all_begin mpi_file_write_at_all_begin(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_at_all_begin_c mpi_file_write_at_all_begin_c(fh: Given<File>,
        offset: Value<MPI_Offset>, buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_at_all_end mpi_file_write_at_all_end(fh: Given<File>, buf: Dense,
        status: Status);
    MPI_File_write_ordered mpi_file_write_ordered(fh: Given<File>, buf: Gathered,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_ordered_c mpi_file_write_ordered_c(fh: Given<File>, buf: Gathered,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_ordered_begin mpi_file_write_ordered_begin(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)], datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_ordered_begin_c mpi_file_write_ordered_begin_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)]);
    MPI_File_write_ordered_end mpi_file_write_ordered_end(fh: Given<File>, buf: Dense,
        status: Status);
    MPI_File_write_shared mpi_file_write_shared(fh: Given<File>, buf: Gathered,
        count: Value<c_int>, datatype: Given<Datatype>, status: Status);
    MPI_File_write_shared_c mpi_file_write_shared_c(fh: Given<File>, buf: Gathered,
        count: Value<MPI_Count>, datatype: Given<Datatype>, status: Status);
    MPI_File_iwrite mpi_file_iwrite(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_c mpi_file_iwrite_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_all mpi_file_iwrite_all(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_all_c mpi_file_iwrite_all_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_at mpi_file_iwrite_at(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_at_c mpi_file_iwrite_at_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_at_all mpi_file_iwrite_at_all(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_at_all_c mpi_file_iwrite_at_all_c(fh: Given<File>, offset: Value<MPI_Offset>,
        buf: Described, count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_shared mpi_file_iwrite_shared(fh: Given<File>, buf: Described,
        count: CountOf<c_int>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
    MPI_File_iwrite_shared_c mpi_file_iwrite_shared_c(fh: Given<File>, buf: Described,
        count: CountOf<MPI_Count>[is_sparse(buf)],
        datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);
}
