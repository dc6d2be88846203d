; Write the copies of all but the last `pending` groups to memory, and remove them from the list.
define internal void @copies_wait(ptr %q, i32 %lanes, i32 %pending) noinline {
entry:
  %count = load i32, ptr %q
  %pg = getelementptr i8, ptr %q, i64 ${groups}
  br label %entries
entries:
  %i = phi i32 [ 0, %entry ], [ %i1, %entry_done ]
  %kept = phi i32 [ 0, %entry ], [ %kept1, %entry_done ]
  %over = icmp eq i32 %i, %count
  br i1 %over, label %end, label %work
work:
  %i64 = zext i32 %i to i64
  %at = mul i64 %i64, ${stride}
  %at1 = add i64 %at, ${entries}
  %e = getelementptr i8, ptr %q, i64 %at1
  %mask = load i32, ptr %e
  %ps = getelementptr i8, ptr %e, i64 ${size}
  %size32 = load i32, ptr %ps
  %size = zext i32 %size32 to i64
  %own = and i32 %mask, %lanes
  br label %loop
loop:
  %left = phi i32 [ %own, %work ], [ %left1, %next ]
  %mask1 = phi i32 [ %mask, %work ], [ %mask3, %next ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %entry_done, label %lane_work
lane_work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pgl = getelementptr i32, ptr %pg, i64 %lane64
  %group = load i32, ptr %pgl
  %ptags = getelementptr i8, ptr %e, i64 ${tags}
  %ptag = getelementptr i32, ptr %ptags, i64 %lane64
  %tag = load i32, ptr %ptag
  %limit = sub i32 %group, %pending
  %ready = icmp slt i32 %tag, %limit
  br i1 %ready, label %copy, label %next
copy:
  %ptos = getelementptr i8, ptr %e, i64 ${to}
  %pto = getelementptr ptr, ptr %ptos, i64 %lane64
  %to = load ptr, ptr %pto
  %pdatas = getelementptr i8, ptr %e, i64 ${data}
  %o = mul i64 %lane64, 16
  %pdata = getelementptr i8, ptr %pdatas, i64 %o
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %pdata, i64 %size, i1 false)
  %bit = shl i32 1, %lane
  %mask2 = xor i32 %mask1, %bit
  br label %next
next:
  %mask3 = phi i32 [ %mask1, %lane_work ], [ %mask2, %copy ]
  br label %loop
entry_done:
  store i32 %mask1, ptr %e
  %alive = icmp ne i32 %mask1, 0
  %i1 = add i32 %i, 1
  %kept1 = select i1 %alive, i32 %i1, i32 %kept
  br label %entries
end:
  store i32 %kept, ptr %q
  ret void
}
