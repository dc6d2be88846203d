; Read the source of each lane's copy after checks of its own; bytes that it does not read are zeros.
define internal i1 @copy_each(ptr %m, ptr %w, ptr %tos, ptr %froms, ptr %lengths, i32 %lanes, i64 %size, ptr %hosts, ptr %pdatas, i32 %where) noinline {
entry:
  br label %loop
include each_lane mask=%lanes first=entry again=lane_done end=good
  %to = load i64, ptr %tos[i64 %lane64]
  %from = load i64, ptr %froms[i64 %lane64]
  %length32 = load i32, ptr %lengths[i32 %lane64]
  %length0 = zext i32 %length32 to i64
  %length = call i64 @llvm.umin.i64(i64 %length0, i64 %size)
  %o = mul i64 %lane64, %size
  %pdata = getelementptr i8, ptr %pdatas, i64 %o
  call void @llvm.memset.p0.i64(ptr %pdata, i8 0, i64 %size, i1 false)
  %last = sub i64 %size, 4
  %pend = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 %last, i32 %where, i32 %lane, i32 1)
  %null1 = icmp eq ptr %pend, null
  br i1 %null1, label %bad, label %first
first:
  %pto = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 0, i32 %where, i32 %lane, i32 1)
  %null2 = icmp eq ptr %pto, null
  br i1 %null2, label %bad, label %note
note:
  store ptr %pto, ptr %hosts[ptr %lane64]
  br label %pieces
pieces:
  %piece = phi i64 [ 0, %note ], [ %piece1, %copied ]
  %whole = icmp uge i64 %piece, %length
  br i1 %whole, label %lane_done, label %read
read:
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %from, i64 %size, i64 %piece, i32 %where, i32 %lane, i32 0)
  %null3 = icmp eq ptr %p, null
  br i1 %null3, label %bad, label %copied
copied:
  %rest = sub i64 %length, %piece
  %unit = call i64 @llvm.umin.i64(i64 %rest, i64 4)
  call void @llvm.memcpy.p0.p0.i64(ptr %pdata[%piece], ptr %p, i64 %unit, i1 false)
  %piece1 = add i64 %piece, 4
  br label %pieces
lane_done:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}
