; Run a warp from where it is until it waits or ends. The engine compiles a part that is missing.
define internal i32 @step(ptr %m, ptr %w) {
entry:
  %pparts = getelementptr i8, ptr %m, i64 ${processor_parts}
  %parts = load ptr, ptr %pparts
  %presume = getelementptr i8, ptr %w, i64 ${warp_resume}
  br label %loop
loop:
  %resume = load i32, ptr %presume
  %part = lshr i32 %resume, ${place_bits}
  %wide = zext i32 %part to i64
  %slot = getelementptr ptr, ptr %parts, i64 %wide
  %there = load atomic ptr, ptr %slot acquire, align 8
  %is_there = icmp ne ptr %there, null
  br i1 %is_there, label %go, label %make
make:
  %pmake = getelementptr i8, ptr %m, i64 ${processor_make_part}
  %maker = load ptr, ptr %pmake
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
