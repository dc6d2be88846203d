; Read the source of each lane's copy, and keep the bytes until the lane waits for the copy. Usually all lanes read whole
; elements from one segment; otherwise each lane has checks of its own. A full list drops what its beginning no longer needs.
define internal i1 @copy_start(ptr %m, ptr %w, ptr %q, ptr %tos, ptr %froms, ptr %lengths, i32 %lanes, i64 %size, i32 %where) noinline {
entry:
  %sources = alloca <32 x i64>, align 64
  %c0 = load i32, ptr %q
  %full = icmp sge i32 %c0, ${most}
  br i1 %full, label %make_room, label %begin
make_room:
  %pfirst = getelementptr i8, ptr %q, i64 ${first}
  %first_kept = load i32, ptr %pfirst
  %has_room = icmp sgt i32 %first_kept, 0
  br i1 %has_room, label %shift, label %drain
shift:
  %first64 = zext i32 %first_kept to i64
  %skipped = mul i64 %first64, ${stride}
  %pto0 = getelementptr i8, ptr %q, i64 ${entries}
  %pfrom0 = getelementptr i8, ptr %pto0, i64 %skipped
  %rest_count = sub i32 %c0, %first_kept
  %rest64 = zext i32 %rest_count to i64
  %rest_bytes = mul i64 %rest64, ${stride}
  call void @llvm.memmove.p0.p0.i64(ptr %pto0, ptr %pfrom0, i64 %rest_bytes, i1 false)
  store i32 %rest_count, ptr %q
  store i32 0, ptr %pfirst
  br label %begin
drain:
  call void @copies_wait(ptr %q, i32 -1, i32 -${all_groups})
  br label %begin
begin:
  %count = load i32, ptr %q
  %more = add i32 %count, 1
  store i32 %more, ptr %q
  %i64 = zext i32 %count to i64
  %at = mul i64 %i64, ${stride}
  %at1 = add i64 %at, ${entries}
  %e = getelementptr i8, ptr %q, i64 %at1
  store i32 %lanes, ptr %e
  %ps = getelementptr i8, ptr %e, i64 ${size}
  %size32 = trunc i64 %size to i32
  store i32 %size32, ptr %ps
  %pg = getelementptr i8, ptr %q, i64 ${groups}
  %ptags = getelementptr i8, ptr %e, i64 ${tags}
  call void @llvm.memcpy.p0.p0.i64(ptr %ptags, ptr %pg, i64 ${word_of_lanes}, i1 false)
  %ptos = getelementptr i8, ptr %e, i64 ${to}
  %pdatas = getelementptr i8, ptr %e, i64 ${data}
  %wanted = load <32 x i32>, ptr %lengths, align 4
  %sizev = insertelement <32 x i32> poison, i32 %size32, i32 0
  %sizes = shufflevector <32 x i32> %sizev, <32 x i32> poison, <32 x i32> zeroinitializer
  %shorter = icmp ult <32 x i32> %wanted, %sizes
  %shorter32 = bitcast <32 x i1> %shorter to i32
  %short = and i32 %shorter32, %lanes
  %pall = getelementptr i8, ptr %e, i64 ${all}
  store i32 1, ptr %pall
  %complete = icmp eq i32 %short, 0
  br i1 %complete, label %check_to, label %slow
check_to:
  %to_ok = call i1 @one_segment(ptr %m, ptr %tos, i32 %lanes, i64 %size, i64 1, ptr %ptos)
  br i1 %to_ok, label %check_from, label %slow
check_from:
  %from_ok = call i1 @one_segment(ptr %m, ptr %froms, i32 %lanes, i64 %size, i64 0, ptr %sources)
  br i1 %from_ok, label %fast, label %slow
fast:
  switch i64 %size, label %fast16 [ i64 4, label %fast4
                                    i64 8, label %fast8 ]
fast4:
  call void @copy_in_4(ptr %sources, ptr %pdatas, i32 %lanes)
  ret i1 true
fast8:
  call void @copy_in_8(ptr %sources, ptr %pdatas, i32 %lanes)
  ret i1 true
fast16:
  call void @copy_in_16(ptr %sources, ptr %pdatas, i32 %lanes)
  ret i1 true
slow:
  store i32 0, ptr %pall
  br label %loop
loop:
  %left = phi i32 [ %lanes, %slow ], [ %left1, %lane_done ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %good, label %work
work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pt = getelementptr i64, ptr %tos, i64 %lane64
  %to = load i64, ptr %pt
  %pf = getelementptr i64, ptr %froms, i64 %lane64
  %from = load i64, ptr %pf
  %pl = getelementptr i32, ptr %lengths, i64 %lane64
  %length32 = load i32, ptr %pl
  %length0 = zext i32 %length32 to i64
  %length = call i64 @llvm.umin.i64(i64 %length0, i64 %size)
  %o = mul i64 %lane64, 16
  %pdata = getelementptr i8, ptr %pdatas, i64 %o
  call void @llvm.memset.p0.i64(ptr %pdata, i8 0, i64 16, i1 false)
  %last = sub i64 %size, 4
  %pend = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 %last, i32 %where, i32 %lane, i32 1)
  %null1 = icmp eq ptr %pend, null
  br i1 %null1, label %bad, label %first
first:
  %pto = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 0, i32 %where, i32 %lane, i32 1)
  %null2 = icmp eq ptr %pto, null
  br i1 %null2, label %bad, label %note
note:
  %slot = getelementptr ptr, ptr %ptos, i64 %lane64
  store ptr %pto, ptr %slot
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
  %pd = getelementptr i8, ptr %pdata, i64 %piece
  call void @llvm.memcpy.p0.p0.i64(ptr %pd, ptr %p, i64 %unit, i1 false)
  %piece1 = add i64 %piece, 4
  br label %pieces
lane_done:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}
