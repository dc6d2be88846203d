; Write a fault to the state of the processor: for the access of one lane, or for the first lane of a mask.
define internal void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 %a, i32 %size, i32 %write) noinline cold {
  %pk = getelementptr i8, ptr %m, i64 ${processor_kind}
  store i32 %kind, ptr %pk
  %pw = getelementptr i8, ptr %m, i64 ${processor_where}
  store i32 %where, ptr %pw
  %pl = getelementptr i8, ptr %m, i64 ${processor_lane}
  store i32 %lane, ptr %pl
  %pn = getelementptr i8, ptr %w, i64 ${warp_number}
  %n = load i32, ptr %pn
  %pp = getelementptr i8, ptr %m, i64 ${processor_warp}
  store i32 %n, ptr %pp
  %pa = getelementptr i8, ptr %m, i64 ${processor_address}
  store i64 %a, ptr %pa
  %ps = getelementptr i8, ptr %m, i64 ${processor_size}
  store i32 %size, ptr %ps
  %pr = getelementptr i8, ptr %m, i64 ${processor_write}
  store i32 %write, ptr %pr
  ret void
}

define internal void @leave_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lanes) noinline cold {
  %lane = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  call void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 0, i32 0, i32 0)
  ret void
}
