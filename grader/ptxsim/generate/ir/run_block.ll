; Run the warps of a block in turn until all have ended; a sweep in which no warp can run is a deadlock.
define internal i32 @run_block(ptr %m, ptr %warps) {
entry:
  %order = load i32, ptr %m[${processor_order}]
  %backwards = icmp eq i32 %order, ${reverse}
  br label %sweep
sweep:
  br label %loop
loop:
  %i = phi i64 [ 0, %sweep ], [ %i1, %next ]
  %ran = phi i32 [ 0, %sweep ], [ %ran1, %next ]
  %ended = phi i32 [ 0, %sweep ], [ %ended1, %next ]
  %over = icmp eq i64 %i, ${warps}
  br i1 %over, label %swept, label %pick
pick:
  %mirror = sub i64 ${last_warp}, %i
  %which = select i1 %backwards, i64 %mirror, i64 %i
  %at = mul i64 %which, ${stride}
  %w = getelementptr i8, ptr %warps, i64 %at
  %pstate = getelementptr i8, ptr %w, i64 ${warp_state}
  %state = load i32, ptr %pstate
  %runnable = icmp eq i32 %state, ${runnable}
  br i1 %runnable, label %work, label %skip
skip:
  %was = icmp eq i32 %state, ${ended}
  %was32 = zext i1 %was to i32
  %ended_s = add i32 %ended, %was32
  br label %next
work:
  %status = call i32 @step(ptr %m, ptr %w)
  switch i32 %status, label %bad [ i32 ${status_done}, label %done
                                   i32 ${status_waits}, label %waits
                                   i32 ${status_blocked}, label %blocked
                                   i32 ${status_yielded}, label %yielded ]
blocked:
  store i32 ${waiting}, ptr %pstate
  store i32 -1, ptr %w[${warp_barrier}]
  br label %next
yielded:
  br label %next
done:
  store i32 ${ended}, ptr %pstate
  %ended_d = add i32 %ended, 1
  br label %next
waits:
  store i32 ${waiting}, ptr %pstate
  %alive = load i32, ptr %w[${warp_alive}]
  %threads = call i32 @llvm.ctpop.i32(i32 %alive)
  %id = load i32, ptr %w[${warp_barrier}]
  %expected = load i32, ptr %w[${warp_expected}]
  call void @arrive(ptr %m, ptr %warps, i32 %id, i32 %threads, i32 %expected)
  br label %next
next:
  %ran1 = phi i32 [ %ran, %skip ], [ 1, %done ], [ 1, %waits ], [ 1, %blocked ], [ 1, %yielded ]
  %ended1 = phi i32 [ %ended_s, %skip ], [ %ended_d, %done ], [ %ended, %waits ], [ %ended, %blocked ], [ %ended, %yielded ]
  %i1 = add i64 %i, 1
  br label %loop
swept:
  %all = icmp eq i32 %ended, ${warps}
  br i1 %all, label %good, label %more
more:
  %stuck = icmp eq i32 %ran, 0
  br i1 %stuck, label %rest, label %again
rest:
  %opened = call i1 @open_for_rest(ptr %m, ptr %warps)
  br i1 %opened, label %again, label %deadlock
again:
  %stays = load i32, ptr %m[${processor_stays}]
  %one_of_many = icmp ne i32 %stays, 0
  br i1 %one_of_many, label %turn, label %sweep
turn:
  ret i32 ${status_yielded}
deadlock:
  store i32 ${kind_barrier}, ptr %m[${processor_kind}]
  ret i32 ${status_fault}
bad:
  ret i32 %status
good:
  ret i32 ${status_done}
}
