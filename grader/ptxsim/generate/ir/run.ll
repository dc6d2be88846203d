; Run blocks until none is left, a block has failed or the time is over; each starts with fresh shared and local memory.
; A counter gives the next place in the list of block numbers; without a list, every block of the grid runs.
define i32 @run(ptr %m) {
entry:
  %next = load ptr, ptr %m[${processor_next_block}]
  %numbers = load ptr, ptr %m[${processor_block_numbers}]
  %unlisted = icmp eq ptr %numbers, null
  %blocks = load i64, ptr %m[${processor_blocks}]
  %first = load ptr, ptr %m[${processor_first_fault}]
  %stop = load ptr, ptr %m[${processor_stop}]
  %shared = load ptr, ptr %m[${processor_shared}]
  %warps = load ptr, ptr %m[${processor_warps}]
  %gx32 = load i32, ptr %m[${processor_grid_x}]
  %gx = zext i32 %gx32 to i64
  %gy32 = load i32, ptr %m[${processor_grid_y}]
  %gy = zext i32 %gy32 to i64
  %pbar = getelementptr i8, ptr %m, i64 ${processor_barriers}
  br label %loop
loop:
  %b = atomicrmw add ptr %next, i64 1 monotonic
  %over = icmp sge i64 %b, %blocks
  br i1 %over, label %finished, label %check
check:
  %limit = load atomic i64, ptr %first monotonic, align 8
  %late = icmp sgt i64 %b, %limit
  %s = load volatile i32, ptr %stop
  %stopped = icmp ne i32 %s, 0
  %no = or i1 %late, %stopped
  br i1 %no, label %finished, label %choose
choose:
  br i1 %unlisted, label %begin, label %listed
listed:
  %entry_value = load i64, ptr %numbers[i64 %b]
  br label %begin
begin:
  %number = phi i64 [ %b, %choose ], [ %entry_value, %listed ]
  store i64 %number, ptr %m[${processor_block}]
  %bx = urem i64 %number, %gx
  %rest = udiv i64 %number, %gx
  %by = urem i64 %rest, %gy
  %bz = udiv i64 %rest, %gy
  %bx32 = trunc i64 %bx to i32
  store i32 %bx32, ptr %m[${processor_block_x}]
  %by32 = trunc i64 %by to i32
  store i32 %by32, ptr %m[${processor_block_y}]
  %bz32 = trunc i64 %bz to i32
  store i32 %bz32, ptr %m[${processor_block_z}]
  %fresh = load i8, ptr %m[${processor_fresh}]
  call void @llvm.memset.p0.i64(ptr %shared, i8 %fresh, i64 ${shared_bytes}, i1 false)
  call void @llvm.memset.p0.i64(ptr %shared, i8 0, i64 ${reserved_bytes}, i1 false)
  call void @llvm.memset.p0.i64(ptr %pbar, i8 0, i64 ${all_barriers_bytes}, i1 false)
  br label %reset
reset:
  %i = phi i64 [ 0, %begin ], [ %i1, %reset ]
  %at = mul i64 %i, ${stride}
  %w = getelementptr i8, ptr %warps, i64 %at
  call void @llvm.memset.p0.i64(ptr %w[${local_at}], i8 %fresh, i64 ${all_local_bytes}, i1 false)
  %started = load i32, ptr %w[${warp_started}]
  store i32 %started, ptr %w[${warp_alive}]
  store i32 0, ptr %w[${warp_pauses}]
  store i32 0, ptr %w[${warp_resume}]
  store i32 ${runnable}, ptr %w[${warp_state}]
  %copies = load ptr, ptr %w[${warp_copies}]
  store i64 0, ptr %copies
  %i1 = add i64 %i, 1
  %all = icmp eq i64 %i1, ${warps}
  br i1 %all, label %go, label %reset
go:
  %status = call i32 @run_block(ptr %m, ptr %warps)
  %good = icmp eq i32 %status, ${status_done}
  br i1 %good, label %loop, label %bad
bad:
  %fault = icmp eq i32 %status, ${status_fault}
  br i1 %fault, label %note, label %end
note:
  %old = atomicrmw min ptr %first, i64 %b monotonic
  br label %end
end:
  ret i32 %status
finished:
  ret i32 ${status_done}
}

; Continue a block that has let others run.
define i32 @resume(ptr %m) {
  %warps = load ptr, ptr %m[${processor_warps}]
  %status = call i32 @run_block(ptr %m, ptr %warps)
  ret i32 %status
}
