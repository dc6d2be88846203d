; Write the copies of all but the last `pending` groups to memory, and remove them from the list.
; The list has entries from `first` on; those between others stay until they are at its beginning or end.
define internal void @copies_wait(ptr %q, i32 %lanes, i32 %pending) noinline {
entry:
  %count = load i32, ptr %q
  %pfirst = getelementptr i8, ptr %q, i64 ${first}
  %first = load i32, ptr %pfirst
  %reached = load <32 x i32>, ptr %q[${groups}], align 4
  %pendingv = insertelement <32 x i32> poison, i32 %pending, i32 0
  %pendings = shufflevector <32 x i32> %pendingv, <32 x i32> poison, <32 x i32> zeroinitializer
  %limits = sub <32 x i32> %reached, %pendings
  br label %entries
entries:
  %i = phi i32 [ %first, %entry ], [ %i1, %entry_done ]
  %kept = phi i32 [ 0, %entry ], [ %kept1, %entry_done ]
  %begin = phi i32 [ -1, %entry ], [ %begin1, %entry_done ]
  %over = icmp eq i32 %i, %count
  br i1 %over, label %end, label %work
work:
  %i64 = zext i32 %i to i64
  %at = mul i64 %i64, ${stride}
  %at1 = add i64 %at, ${entries}
  %e = getelementptr i8, ptr %q, i64 %at1
  %mask = load i32, ptr %e
  %ptos = getelementptr i8, ptr %e, i64 ${to}
  %pdatas = getelementptr i8, ptr %e, i64 ${data}
  %tags = load <32 x i32>, ptr %e[${tags}], align 4
  %over_groups = icmp slt <32 x i32> %tags, %limits
  %over32 = bitcast <32 x i1> %over_groups to i32
  %waiting = and i32 %mask, %lanes
  %own = and i32 %waiting, %over32
  %rest = xor i32 %mask, %own
  %write = load ptr, ptr %e[${write}]
  call void %write(ptr %ptos, ptr %pdatas, i32 %own)
  br label %entry_done
entry_done:
  store i32 %rest, ptr %e
  %alive = icmp ne i32 %rest, 0
  %i1 = add i32 %i, 1
  %kept1 = select i1 %alive, i32 %i1, i32 %kept
  %begins = icmp eq i32 %begin, -1
  %is_first = and i1 %alive, %begins
  %begin1 = select i1 %is_first, i32 %i, i32 %begin
  br label %entries
end:
  store i32 %kept, ptr %q
  %empty = icmp eq i32 %begin, -1
  %begin2 = select i1 %empty, i32 0, i32 %begin
  store i32 %begin2, ptr %pfirst
  ret void
}
