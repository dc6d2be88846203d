; Move ${size} bytes of each lane between the place that `places` names and the lane's 16 bytes of `data`.
define internal void @${name}_${size}(ptr %places, ptr %data) noinline {
entry:
  br label %loop
loop:
  %lane = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pplace = getelementptr ptr, ptr %places, i64 %lane
  %place = load ptr, ptr %pplace
  %at = mul i64 %lane, 16
  %kept = getelementptr i8, ptr %data, i64 %at
  call void @llvm.memcpy.p0.p0.i64(ptr ${target}, ptr ${source}, i64 ${size}, i1 false)
  %next = add i64 %lane, 1
  %over = icmp eq i64 %next, 32
  br i1 %over, label %done, label %loop
done:
  ret void
}
