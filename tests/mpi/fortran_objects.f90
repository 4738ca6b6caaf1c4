! ranks: 2 4
! Groups, communicators, topologies, datatypes and info in the module mpi, with error codes.
program objects
  use mpi
  implicit none
  integer :: rank, ranks, ierr, world
  call MPI_Init(ierr)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, rank, ierr)
  call MPI_Comm_size(world, ranks, ierr)
  call groups()
  call communicators()
  call topologies()
  call types()
  call hints()
  call MPI_Finalize(ierr)
contains
  subroutine tell(name, numbers)
    character(len=*), intent(in) :: name
    integer, intent(in) :: numbers(:)
    if (rank == 0) print '(a,*(1x,i0))', name, numbers
  end subroutine

  subroutine groups()
    integer :: all, one, other, joined, order, places(1), members, ranges(3, 1)
    call MPI_Comm_group(world, all, ierr)
    call MPI_Group_incl(all, 1, [ranks - 1], one, ierr)
    call MPI_Group_excl(all, 1, [ranks - 1], other, ierr)
    call MPI_Group_union(one, other, joined, ierr)
    call MPI_Group_compare(all, joined, order, ierr)
    call MPI_Group_translate_ranks(all, 1, [ranks - 1], joined, places, ierr)
    call tell('union', [merge(1, 0, order == MPI_SIMILAR), places])
    call MPI_Group_free(joined, ierr)
    call MPI_Group_intersection(all, one, joined, ierr)
    call MPI_Group_size(joined, members, ierr)
    call MPI_Group_free(joined, ierr)
    call MPI_Group_difference(all, one, joined, ierr)
    call MPI_Group_rank(joined, order, ierr)
    call tell('difference', [members, order])
    call MPI_Group_free(joined, ierr)
    ranges(:, 1) = [0, ranks - 1, 2]
    call MPI_Group_range_incl(all, 1, ranges, joined, ierr)
    call MPI_Group_size(joined, members, ierr)
    call MPI_Group_free(joined, ierr)
    call MPI_Group_range_excl(all, 1, ranges, joined, ierr)
    call MPI_Group_size(joined, order, ierr)
    call tell('ranges', [members, order])
    call MPI_Group_free(joined, ierr)
    call MPI_Group_free(one, ierr)
    call MPI_Group_free(other, ierr)
    call MPI_Group_free(all, ierr)
  end subroutine

  subroutine communicators()
    integer :: copy, half, joint, merged, order, members, length, group, request
    logical :: is_inter
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_dup(world, copy, ierr)
    call MPI_Comm_compare(world, copy, order, ierr)
    call MPI_Comm_set_name(copy, 'a copy', ierr)
    call MPI_Comm_get_name(copy, name, length, ierr)
    if (rank == 0) print '(a,1x,i0,1x,l1)', trim(name), length, order == MPI_CONGRUENT
    call MPI_Comm_split(world, mod(rank, 2), rank, half, ierr)
    call MPI_Intercomm_create(half, 0, copy, 1 - mod(rank, 2), 7, joint, ierr)
    call MPI_Comm_test_inter(joint, is_inter, ierr)
    call MPI_Comm_remote_size(joint, members, ierr)
    call MPI_Comm_remote_group(joint, group, ierr)
    call MPI_Group_size(group, order, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Intercomm_merge(joint, mod(rank, 2) == 1, merged, ierr)
    call MPI_Comm_size(merged, length, ierr)
    call tell('inter', [merge(1, 0, is_inter), members, order, length])
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_free(joint, ierr)
    call MPI_Comm_group(half, group, ierr)
    call MPI_Comm_create_group(world, group, 5, merged, ierr)
    call MPI_Comm_size(merged, members, ierr)
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_create(world, group, merged, ierr)
    call MPI_Comm_free(merged, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Comm_idup(half, merged, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_size(merged, order, ierr)
    call tell('created', [members, order])
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, merged, ierr)
    call MPI_Comm_free(merged, ierr)
    call MPI_Comm_free(half, ierr)
    call MPI_Comm_free(copy, ierr)
  end subroutine

  subroutine topologies()
    integer :: grid, row, place(2), dims(2), source, dest, count, kind, ring, near(2), given
    logical :: around(2), weighted
    dims = 0
    call MPI_Dims_create(ranks, 2, dims, ierr)
    call MPI_Cart_create(world, 2, dims, [.true., .false.], .false., grid, ierr)
    call MPI_Cartdim_get(grid, count, ierr)
    call MPI_Cart_coords(grid, ranks - 1, 2, place, ierr)
    call MPI_Cart_rank(grid, place, dest, ierr)
    call tell('grid', [dims, count, place, dest])
    call MPI_Cart_shift(grid, 0, 1, source, dest, ierr)
    call MPI_Cart_get(grid, 2, dims, around, place, ierr)
    call MPI_Topo_test(grid, kind, ierr)
    call tell('shift', [source, dest, place, merge(1, 0, around(1)), merge(1, 0, kind == MPI_CART)])
    call MPI_Cart_sub(grid, [.true., .false.], row, ierr)
    call MPI_Comm_size(row, count, ierr)
    call tell('row', [count])
    call MPI_Comm_free(row, ierr)
    call MPI_Comm_free(grid, ierr)
    call MPI_Dist_graph_create_adjacent(world, 1, [mod(rank + ranks - 1, ranks)], MPI_UNWEIGHTED, &
        1, [mod(rank + 1, ranks)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, ierr)
    call MPI_Dist_graph_neighbors_count(ring, source, dest, weighted, ierr)
    near = -1
    given = rank
    call MPI_Neighbor_allgather(given, 1, MPI_INTEGER, near, 1, MPI_INTEGER, ring, ierr)
    call tell('ring', [source, dest, merge(1, 0, weighted), near(1)])
    call MPI_Comm_free(ring, ierr)
  end subroutine

  subroutine types()
    integer :: made, other, bytes, numbers(12), packed(12), position, i
    integer(MPI_ADDRESS_KIND) :: lower, extent, first, second
    numbers = [(i, i = 1, 12)]
    call MPI_Type_vector(2, 2, 4, MPI_INTEGER, made, ierr)
    call MPI_Type_commit(made, ierr)
    call MPI_Type_size(made, bytes, ierr)
    call MPI_Type_get_extent(made, lower, extent, ierr)
    call tell('vector', [bytes, int(lower), int(extent)])
    packed = 0
    position = 0
    call MPI_Pack(numbers, 1, made, packed, 48, position, world, ierr)
    call tell('packed', [position, packed(1:4)])
    numbers = 0
    position = 0
    call MPI_Unpack(packed, 48, position, numbers, 1, made, world, ierr)
    call tell('unpacked', numbers(1:6))
    call MPI_Pack_size(3, MPI_INTEGER, world, bytes, ierr)
    call MPI_Type_free(made, ierr)
    call MPI_Type_contiguous(3, MPI_INTEGER, made, ierr)
    call MPI_Type_create_resized(made, 0_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND, other, ierr)
    call MPI_Type_get_true_extent(other, lower, extent, ierr)
    call tell('resized', [bytes, int(extent)])
    call MPI_Type_free(other, ierr)
    call MPI_Type_free(made, ierr)
    call MPI_Type_indexed(2, [1, 2], [0, 3], MPI_INTEGER, made, ierr)
    call MPI_Type_dup(made, other, ierr)
    call MPI_Type_size(other, bytes, ierr)
    call MPI_Type_free(other, ierr)
    call MPI_Type_free(made, ierr)
    call MPI_Get_address(numbers(1), first, ierr)
    call MPI_Get_address(numbers(4), second, ierr)
    call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, second - first], &
        [MPI_INTEGER, MPI_DOUBLE_PRECISION], made, ierr)
    call MPI_Type_get_extent(made, lower, extent, ierr)
    call tell('struct', [bytes, int(second - first), int(MPI_Aint_diff(second, first))])
    call MPI_Type_free(made, ierr)
    call MPI_Type_create_subarray(2, [4, 3], [2, 2], [1, 0], MPI_ORDER_FORTRAN, MPI_INTEGER, made, &
        ierr)
    call MPI_Type_size(made, bytes, ierr)
    call tell('subarray', [bytes])
    call MPI_Type_free(made, ierr)
  end subroutine

  subroutine hints()
    integer :: info, copy, count, length
    logical :: found
    character(len=MPI_MAX_INFO_KEY) :: key
    character(len=32) :: value
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'colour', ' blue ', ierr)
    call MPI_Info_set(info, 'size', '4', ierr)
    call MPI_Info_dup(info, copy, ierr)
    call MPI_Info_delete(info, 'size', ierr)
    call MPI_Info_get_nkeys(info, count, ierr)
    call MPI_Info_get_nthkey(copy, 0, key, ierr)
    length = len(value)
    call MPI_Info_get_string(info, 'colour', length, value, found, ierr)
    if (rank == 0) print '(2a,1x,a,1x,l1,2(1x,i0))', trim(key), ':', trim(value), found, length, count
    call MPI_Info_free(info, ierr)
    call MPI_Info_free(copy, ierr)
  end subroutine
end program
