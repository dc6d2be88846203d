; Let threads arrive at a barrier; the last arrival lets all warps that wait there continue.
define internal void @arrive(ptr %m, ptr %warps, i32 %id, i32 %threads, i32 %expected) {
entry:
  %id64 = zext i32 %id to i64
  %at = mul i64 %id64, ${barrier_bytes}
  %bar = getelementptr i8, ptr %m[${processor_barriers}], i64 %at
  %before = load i32, ptr %bar
  %now = add i32 %before, %threads
  store i32 %now, ptr %bar
  store i32 %expected, ptr %bar[${barrier_expected}]
  %complete = icmp sge i32 %now, %expected
  br i1 %complete, label %release, label %end
release:
  store i32 0, ptr %bar
  store i32 %now, ptr %bar[${barrier_all_result}]
  %pholds = getelementptr i8, ptr %bar, i64 ${barrier_holds}
  %holds = load i32, ptr %pholds
  store i32 0, ptr %pholds
  %pturn = getelementptr i8, ptr %bar, i64 ${barrier_generation}
  %turn = load i32, ptr %pturn
  %turn1 = add i32 %turn, 1
  store i32 %turn1, ptr %pturn
  store i32 %holds, ptr %bar[${barrier_count_result}]
  br label %loop
loop:
  %i = phi i64 [ 0, %release ], [ %i1, %next ]
  %wat = mul i64 %i, ${stride}
  %w = getelementptr i8, ptr %warps, i64 %wat
  %pstate = getelementptr i8, ptr %w, i64 ${warp_state}
  %state = load i32, ptr %pstate
  %own = load i32, ptr %w[${warp_barrier}]
  %waits = icmp eq i32 %state, ${waiting}
  %same = icmp eq i32 %own, %id
  %any = icmp slt i32 %own, 0
  %here = or i1 %same, %any
  %free = and i1 %waits, %here
  br i1 %free, label %wake, label %next
wake:
  store i32 ${runnable}, ptr %pstate
  br label %next
next:
  %i1 = add i64 %i, 1
  %all = icmp eq i64 %i1, ${warps}
  br i1 %all, label %end, label %loop
end:
  ret void
}
