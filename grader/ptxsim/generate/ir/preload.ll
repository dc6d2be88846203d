; Make the loads of a group of lanes one lane at a time, into a scratch area; plans.py writes the table's rows.
define internal i1 @preload(ptr %m, ptr %w, ptr %table, i32 %count, ptr %roots, i32 %active, ptr %scratch) noinline cold {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %done = icmp eq i32 %i, %count
  br i1 %done, label %good, label %work
work:
  %i64 = zext i32 %i to i64
  %row = getelementptr { i32, i32, i32, i32, i64, i64, i64, i64, ptr }, ptr %table, i64 %i64
  %key = load i32, ptr %row
  %own = load i32, ptr %row[4]
  %size = load i32, ptr %row[8]
  %where = load i32, ptr %row[12]
  %rel = load i64, ptr %row[16]
  %mask = load i64, ptr %row[24]
  %window = load i64, ptr %row[32]
  %to = load i64, ptr %row[40]
  %offsets = load ptr, ptr %row[48]
  %key64 = zext i32 %key to i64
  %root = load i64, ptr %roots[i64 %key64]
  %base = add i64 %root, %rel
  %lanes = and i32 %own, %active
  %size64 = zext i32 %size to i64
  %unit = call i64 @llvm.umin.i64(i64 %size64, i64 4)
  br label %loop
include each_lane mask=%lanes first=work again=lane_done end=next
  %of32 = load i32, ptr %offsets[i32 %lane64]
  %of = sext i32 %of32 to i64
  %a0 = add i64 %base, %of
  %a1 = and i64 %a0, %mask
  %a = add i64 %a1, %window
  %t0 = add i64 %to, %of
  br label %piece_loop
piece_loop:
  %piece = phi i64 [ 0, %each_lane ], [ %piece1, %copied ]
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %size64, i64 %piece, i32 %where, i32 %lane, i32 0)
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %copy
copy:
  %t1 = add i64 %t0, %piece
  call void @llvm.memcpy.p0.p0.i64(ptr %scratch[%t1], ptr %p, i64 %unit, i1 false)
  br label %copied
copied:
  %piece1 = add i64 %piece, %unit
  %more = icmp ult i64 %piece1, %size64
  br i1 %more, label %piece_loop, label %lane_done
lane_done:
  br label %loop
next:
  %i1 = add i32 %i, 1
  br label %outer
good:
  ret i1 true
bad:
  ret i1 false
}
