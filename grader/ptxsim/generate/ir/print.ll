; Record the format and the arguments of each lane's printf.
define internal i1 @print(ptr %m, ptr %w, ptr %formats, ptr %arguments, i32 %lanes, i32 %where) noinline {
entry:
  %buffer = load ptr, ptr %m[${processor_printed}]
  %pused = getelementptr i8, ptr %m, i64 ${processor_printed_bytes}
  %limit = load i64, ptr %m[${processor_printed_limit}]
  %local = load i64, ptr @local_bytes
  br label %loop
include each_lane mask=%lanes first=entry again=written end=good
  %format = load i64, ptr %formats[i64 %lane64]
  %a = load i64, ptr %arguments[i64 %lane64]
  %slot = lshr i64 %a, ${segment_bits}
  %is_local = icmp eq i64 %slot, ${local_segment}
  %inside = and i64 %a, ${segment_mask}
  %place = sub i64 %inside, ${first_local}
  %room0 = sub i64 %local, %place
  %room1 = call i64 @llvm.umin.i64(i64 %room0, i64 ${most_arguments})
  %count = select i1 %is_local, i64 %room1, i64 0
  %used = load i64, ptr %pused
  %after0 = add i64 %used, ${head}
  %after = add i64 %after0, %count
  %full = icmp sgt i64 %after, %limit
  br i1 %full, label %stop, label %head
stop:
  %bit = shl i32 1, %lane
  call void @leave_fault(ptr %m, ptr %w, i32 ${kind_printed}, i32 %where, i32 %bit)
  ret i1 false
head:
  store i64 %after, ptr %pused
  %record = getelementptr i8, ptr %buffer, i64 %used
  store i64 %format, ptr %record
  store i64 %count, ptr %record[8]
  br label %copying
copying:
  %at = phi i64 [ 0, %head ], [ %at1, %copied ]
  %whole = icmp uge i64 %at, %count
  br i1 %whole, label %written, label %piece
piece:
  %pa1 = add i64 %a, %at
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %pa1, i64 4, i64 0, i32 %where, i32 %lane, i32 0)
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %copied
copied:
  %x = load i32, ptr %p, align 1
  %to = add i64 %at, ${head}
  store i32 %x, ptr %record[%to], align 1
  %at1 = add i64 %at, 4
  br label %copying
written:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}
