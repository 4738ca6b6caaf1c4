//! What rank 1 of four does in the programs, where nothing that it computes is worth a line.

/// Messages in all their modes, and blocking collectives.
pub(super) const RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 comm_def 5 0:4:1
1 irecv 0 3 32768 6
1 isend 2 3 8000 6
1 wait 0 1 3
1 wait 1 2 3
1 irecv 0 TAG-4 80 6
1 send 2 TAG-4 40 6
1 wait 0 1 TAG-4
1 recv 0 9 40 6
1 irecv 0 5 7 6
1 wait 0 1 5
1 irecv 0 5 7 6
1 wait 0 1 5
1 barrier
1 recv 0 6 6 6
1 barrier
1 recv 0 TAG-11 16 6
1 irecv 0 TAG-12 32768 6
1 wait 0 1 TAG-12
1 bcast 800 1 6
1 allreduce 100 0 1
1 within 2
1 reduce 10 0 0 0
1 within 2
1 allgather 0 32 6 6
1 alltoall 8 8 6 6
1 allgatherv 8 0 8 16 24 6 6
1 gatherv 8 0 0 0 0 0 6 6
1 scatter 16 16 0 6 6
1 reducescatter 2 2 2 2 0 0
1 within 2
1 scan 1 0 0
1 finalize
";

/// What rank 1 of four does first in the other program, but for looks, which come as often as time
/// has it.
pub(super) const LATER_RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 later 0
1 within 2
1 allreduce 1000 0 0
1 later 1
1 bcast 4000 0 6
1 irecv 1 5 24 6
1 send 1 5 24 6
1 await 0
1 await 1
1 wait 1 1 5
1 later 0
1 within 2
1 allreduce 1000 0 0
";

/// What rank 1 of four does in its first epochs and locks; our own runs tell the same.
pub(super) const WINDOWS_RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 win_create 0
1 win_fence 0
1 put 0 2 1024
1 get 0 3 1024
1 win_fence 0
1 accumulate 0 0 1024
1 win_fence 0 last
1 win_post 0 0:1:1
1 win_start 0 2:1:1
1 put 0 2 1024
1 win_complete 0
1 win_wait 0
1 win_lock 0 0 exclusive
1 put 0 0 8
1 win_unlock 0 0
1 win_lock 0 2 shared
1 later 0
1 put 0 2 1024
1 later 1
1 get 0 2 1024
1 await 0
1 await 1
1 win_flush 0 2
1 win_unlock 0 2
1 win_lock_all 0
1 accumulate 0 2 24 8
1 win_flush 0
1 accumulate 0 0 32 8
1 accumulate 0 2 1040 1024
1 win_unlock_all 0
";

/// All that rank 1 of four does where groups talk and receives are withdrawn.
pub(super) const GROUPS_RANK_1: &str = "\
1 init
1 comm_def 1 0:2:1
1 inter_def 5 0:2:1 | 2:2:1
1 irecv 3 TAG-1 10 6
1 send 3 TAG-1 10 6
1 wait 3 1 TAG-1
1 irecv -555 TAG-2 20 6
1 isend 3 TAG-2 20 6
1 wait -555 1 TAG-2
1 wait 1 3 TAG-2
1 inter_def 9 0:2:1 | 2:2:1
1 send 3 TAG-3 30 6
1 within 9
1 barrier
1 within 9
1 allreduce 1 0 1
1 comm_def 13 0:4:1
1 within 13
1 bcast 40 0 6
# irecv 0 20 50 6
1 test 0 1 20
# irecv 0 23 55 6
# irecv 0 21 51 6
1 irecv 0 21 52 6
# irecv 0 22 53 6
1 irecv 0 1 1 6
1 send 0 1 1 6
1 wait 0 1 1
1 wait 0 1 21
1 irecv 0 22 53 6
1 wait 0 1 22
1 irecv 0 20 54 6
1 irecv 0 2 1 6
1 send 0 2 1 6
1 wait 0 1 2
1 irecv 0 24 60 6
1 irecv 0 24 61 6
#@ 1 younger 1
1 wait 0 1 24
1 wait 0 1 24
1 wait 0 1 20
1 finalize
";

/// What rank 1 of four does first on a torus of two by two, which is open in one direction.
pub(super) const NEIGHBOURS_RANK_1: &str = "\
1 init
1 comm_def 1 0:4:1
1 irecv 3 TAG-1 1024 6
1 irecv 3 TAG-1 1024 6
1 irecv 0 TAG-1 1024 6
1 isend 3 TAG-1 1024 6
1 isend 3 TAG-1 1024 6
1 isend 0 TAG-1 1024 6
1 waitall 6
";

/// What rank 1 of four does in Fortran, whose tags on other communicators than the world have letters
/// here.
pub(super) const FORTRAN_RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 comm_def 5 0:4:1
1 irecv 0 3 32768 6
1 isend 2 3 8000 6
1 wait 0 1 3
1 wait 1 2 3
1 irecv 0 TAG-A 80 6
1 send 2 TAG-A 40 6
1 wait 0 1 TAG-A
1 recv 0 9 40 6
# irecv 0 TAG-C 40 6
1 isend 2 1 40 6
# irecv 0 TAG-D 40 6
1 isend 2 2 40 6
1 recv 0 1 40 6
1 recv 0 2 40 6
1 wait 1 2 1
1 wait 1 2 2
1 isend 2 TAG-B 7 6
1 recv 0 TAG-B 7 6
1 wait 1 2 TAG-B
1 isend 2 TAG-B 7 6
1 recv 0 TAG-B 7 6
1 wait 1 2 TAG-B
1 irecv 1 5 40 6
1 send 1 5 40 6
1 wait 1 1 5
1 within 2
1 allreduce 100 0 0
1 later 0
1 bcast 400 1 6
1 await 0
1 within 2
1 allgather 0 32 6 6
1 passes 16 16 other
1 alltoallv 16 4 4 4 4 16 4 4 4 4 6 6
1 comm_def 9 0:4:1
1 irecv 2 TAG-E 12 6
1 irecv 0 TAG-E 12 6
1 isend 0 TAG-E 12 6
1 isend 2 TAG-E 12 6
1 waitall 4
1 win_create 0
1 win_fence 0
1 put 0 2 48
1 win_fence 0 last
1 win_free 0
1 recv 0 6 8 6
1 finalize
";

/// And with the other module.
pub(super) const FORTRAN_08_RANK_1: &str = "\
1 init
1 comm_def 2 1:2:2
1 comm_def 5 0:4:1
1 irecv 0 3 32768 6
1 isend 2 3 8000 6
1 wait 0 1 3
1 wait 1 2 3
1 irecv 0 TAG-A 80 6
1 send 2 TAG-A 40 6
1 wait 0 1 TAG-A
1 recv 0 9 40 6
1 irecv 1 5 40 6
1 send 1 5 40 6
1 wait 1 1 5
1 within 2
1 allreduce 100 0 0
1 later 0
1 within 5
1 allreduce 10 0 0
1 await 0
1 alltoallv 16 4 4 4 4 16 4 4 4 4 6 6
1 comm_def 9 0:4:1
1 comm_def 13 0:2:1
1 within 13
1 barrier
1 comm_def 17 0:4:1
1 irecv 0 TAG-F 12 6
1 isend 2 TAG-F 12 6
1 waitall 2
1 win_create 0
1 win_lock 0 2 shared
1 later 0
1 put 0 2 48
1 await 0
1 win_unlock 0 2
1 win_free 0
1 finalize
";

/// What rank 1 of four does first where collectives are those of two groups.
pub(super) const BETWEEN_RANK_1: &str = "\
1 init
1 comm_def 2 1:1:1 0:1:1
1 inter_def 6 1:1:1 0:1:1 | 2:2:1
1 inter_def 10 1:1:1 0:1:1 | 2:2:1
1 within 6
1 barrier
1 within 6
1 bcast 1024 1 6
1 within 6
1 reduce 128 0 1 0
1 within 6
1 allreduce 128 0 0
1 within 6
1 gather 1024 1024 1 6 6
1 within 6
1 scatter 1024 1024 1 6 6
1 within 6
1 gatherv 1024 0 0 0 0 1 6 6
1 within 6
1 scatterv 0 0 0 0 512 1 6 6
1 within 6
1 allgather 1024 512 6 6
1 within 6
1 allgatherv 1024 512 256 0 0 6 6
1 within 6
1 alltoall 1024 512 6 6
1 within 6
1 alltoallv 1536 1024 512 0 0 768 512 256 0 0 6 6
1 within 6
1 passes 1536 768 other
1 alltoallv 1536 1024 512 0 0 768 512 256 0 0 6 6
";

/// All that rank 1 of four does with files.
pub(super) const FILES_RANK_1: &str = "\
1 init
1 comm_def 4 3:1:1 1:1:1
1 bcast 4 0 6
1 file_open
1 comm_def 1 0:4:1
1 within 4
1 bcast 4 0 6
1 within 4
1 file_open
1 comm_def 8 3:1:1 1:1:1
1 comm_def 2 1:1:1
1 within 2
1 file_open
1 comm_def 6 1:1:1
1 within 1
1 file_meet
1 within 1
1 file_meet
1 file_write 512
1 within 1
1 file_write_all 1024
1 within 1
1 file_meet
1 barrier
1 file_read 1024
1 within 1
1 file_read_all 512
1 file_read 256
1 file_write 1024
1 within 1
1 file_write_all 1024
1 file_read 10
1 within 1
1 file_read_all 1024
1 barrier
1 file_write 512
1 within 1
1 file_write_all 1024
1 within 1
1 file_meet
1 barrier
1 file_read 1024
1 within 1
1 file_read_all 512
1 file_read 256
1 file_write 1024
1 within 1
1 file_write_all 1024
1 file_read 10
1 within 1
1 file_read_all 1024
1 barrier
1 later 0
1 file_write 1024
1 irecv 0 5 24 6
1 isend 2 5 24 6
1 await 0
1 wait 0 1 5
1 wait 1 2 5
1 later 0
1 file_read 1024
1 await 0
1 later 0
1 within 1
1 file_write_all 1024
1 await 0
1 later 0
1 within 1
1 file_read_all 1024
1 await 0
1 later 0
1 within 1
1 file_write_all 1024
1 await 0
1 later 0
1 within 1
1 file_read_all 1024
1 await 0
1 within 8
1 file_write_all 512
1 file_write 8
1 file_write 1024
1 within 6
1 file_close
1 within 8
1 file_close
1 within 1
1 file_close
1 finalize
";
