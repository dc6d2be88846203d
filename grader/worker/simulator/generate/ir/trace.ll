; Append an event to the launch's trace: its kind and size, place, mask, warp and block, and 32 addresses or values.
; Left out: blocks away from the grid's edges, reads of segments that no thread writes, and what is beyond the limit.
define internal void @trace(ptr %m, ptr %w, i32 %kind, i32 %size, i32 %where, i32 %mask, ptr %words) noinline {
entry:
  %pt = getelementptr i8, ptr %m, i64 ${processor_trace}
  %t = load ptr, ptr %pt
  %none = icmp eq i32 %mask, 0
  br i1 %none, label %end, label %place
place:
  %px = getelementptr i8, ptr %m, i64 ${processor_block_x}
  %x = load i32, ptr %px
  %pgx = getelementptr i8, ptr %m, i64 ${processor_grid_x}
  %gx = load i32, ptr %pgx
  %py = getelementptr i8, ptr %m, i64 ${processor_block_y}
  %y = load i32, ptr %py
  %pgy = getelementptr i8, ptr %m, i64 ${processor_grid_y}
  %gy = load i32, ptr %pgy
  %left = icmp slt i32 %x, ${edge}
  %rx = sub i32 %gx, %x
  %right = icmp sle i32 %rx, ${edge}
  %above = icmp slt i32 %y, ${edge}
  %ry = sub i32 %gy, %y
  %below = icmp sle i32 %ry, ${edge}
  %ex = or i1 %left, %right
  %ey = or i1 %above, %below
  %edge = and i1 %ex, %ey
  br i1 %edge, label %segment, label %end
segment:
  %reads = icmp eq i32 %kind, ${read}
  br i1 %reads, label %first, label %room
first:
  %lane = call i32 @llvm.cttz.i32(i32 %mask, i1 false)
  %lane64 = zext i32 %lane to i64
  %pa = getelementptr i64, ptr %words, i64 %lane64
  %a = load i64, ptr %pa
  %number = lshr i64 %a, ${segment_bits}
  %known = call i64 @llvm.umin.i64(i64 %number, i64 63)
  %pread = getelementptr i8, ptr %t, i64 ${trace_read_only}
  %read_only = load i64, ptr %pread
  %bit = lshr i64 %read_only, %known
  %skip = trunc i64 %bit to i1
  br i1 %skip, label %end, label %room
room:
  %count = load i64, ptr %t
  %plimit = getelementptr i8, ptr %t, i64 ${trace_limit}
  %limit = load i64, ptr %plimit
  %full = icmp sge i64 %count, %limit
  br i1 %full, label %lost, label %append
lost:
  %plost = getelementptr i8, ptr %t, i64 ${trace_lost}
  store i64 1, ptr %plost
  ret void
append:
  %more = add i64 %count, 1
  store i64 %more, ptr %t
  %scaled = mul i64 %count, ${event_bytes}
  %at = add i64 %scaled, ${first_event}
  %e = getelementptr i8, ptr %t, i64 %at
  store i32 %kind, ptr %e
  %psize = getelementptr i8, ptr %e, i64 4
  store i32 %size, ptr %psize
  %pwhere = getelementptr i8, ptr %e, i64 8
  store i32 %where, ptr %pwhere
  %pmask = getelementptr i8, ptr %e, i64 12
  store i32 %mask, ptr %pmask
  %pn = getelementptr i8, ptr %w, i64 ${warp_number}
  %n = load i32, ptr %pn
  %pwarp = getelementptr i8, ptr %e, i64 16
  store i32 %n, ptr %pwarp
  %pb = getelementptr i8, ptr %m, i64 ${processor_block}
  %b = load i64, ptr %pb
  %pblock = getelementptr i8, ptr %e, i64 24
  store i64 %b, ptr %pblock
  %pwords = getelementptr i8, ptr %e, i64 32
  %words_are_null = icmp eq ptr %words, null
  br i1 %words_are_null, label %end, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %pwords, ptr %words, i64 256, i1 false)
  br label %end
end:
  ret void
}
