; Put the warps into the order of a sweep: a permutation that a seed and the sweeps before determine (Fisher and Yates).
define internal void @shuffle(ptr %m, ptr %sweep) {
entry:
  %ps = getelementptr i8, ptr %m, i64 ${processor_random}
  br label %loop
loop:
  %i = phi i64 [ ${last_warp}, %entry ], [ %i1, %body ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %body, label %end
body:
  %s = load i32, ptr %ps
  %s1 = mul i32 %s, 1664525
  %s2 = add i32 %s1, 1013904223
  store i32 %s2, ptr %ps
  %h = lshr i32 %s2, 8
  %h64 = zext i32 %h to i64
  %n = add i64 %i, 1
  %j = urem i64 %h64, %n
  %pi = getelementptr i32, ptr %sweep, i64 %i
  %pj = getelementptr i32, ptr %sweep, i64 %j
  %x = load i32, ptr %pi
  %y = load i32, ptr %pj
  store i32 %y, ptr %pi
  store i32 %x, ptr %pj
  %i1 = sub i64 %i, 1
  br label %loop
end:
  ret void
}
