; Copy elements from the places in one table to those in another.
define internal void @move_${size}(ptr %to, ptr %places, ptr %from, ptr %order, i32 %count) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %i64 = zext i32 %i to i64
  %t = load i16, ptr %places[i16 %i64]
  %t64 = zext i16 %t to i64
  %s = load i16, ptr %order[i16 %i64]
  %s64 = zext i16 %s to i64
  %x = load ${type}, ptr %from[%s64], align 1
  store ${type} %x, ptr %to[%t64], align 1
  %i1 = add i32 %i, 1
  %over = icmp eq i32 %i1, %count
  br i1 %over, label %end, label %loop
end:
  ret void
}
