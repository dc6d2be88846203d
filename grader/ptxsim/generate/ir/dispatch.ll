; Run a warp from where it is until it waits or ends. The engine compiles a part that is missing.
define internal i32 @step(ptr %m, ptr %w) {
entry:
  %parts = load ptr, ptr %m[${processor_parts}]
  br label %loop
loop:
  %resume = load i32, ptr %w[${warp_resume}]
  %part = lshr i32 %resume, ${place_bits}
  %wide = zext i32 %part to i64
  %there = load atomic ptr, ptr %parts[ptr %wide] acquire, align 8
  %is_there = icmp ne ptr %there, null
  br i1 %is_there, label %go, label %make
make:
  %maker = load ptr, ptr %m[${processor_make_part}]
  %made = call ptr %maker(i32 %part)
  %is_made = icmp ne ptr %made, null
  br i1 %is_made, label %go, label %stopped
go:
  %code = phi ptr [ %there, %loop ], [ %made, %make ]
  %status = call i32 %code(ptr %m, ptr %w)
  %moved = icmp eq i32 %status, ${status_moved}
  br i1 %moved, label %loop, label %end
stopped:
  ret i32 ${status_stopped}
end:
  ret i32 %status
}
