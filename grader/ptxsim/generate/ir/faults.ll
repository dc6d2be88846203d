; Write a fault to the state of the processor: for the access of one lane, or for the first lane of a mask.
define internal void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 %a, i32 %size, i32 %write) noinline cold {
  store i32 %kind, ptr %m[${processor_kind}]
  store i32 %where, ptr %m[${processor_where}]
  store i32 %lane, ptr %m[${processor_lane}]
  %n = load i32, ptr %w[${warp_number}]
  store i32 %n, ptr %m[${processor_warp}]
  store i64 %a, ptr %m[${processor_address}]
  store i32 %size, ptr %m[${processor_size}]
  store i32 %write, ptr %m[${processor_write}]
  ret void
}

define internal void @leave_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lanes) noinline cold {
  %lane = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  call void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 0, i32 0, i32 0)
  ret void
}
