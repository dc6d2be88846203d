; Open a barrier of the whole block at which all threads wait that have not returned: __syncthreads() waits for these only
; (CUDA C++ Programming Guide, "Synchronization Functions"). Runs when no warp can continue.
define internal i1 @open_for_rest(ptr %m, ptr %warps) {
entry:
  br label %count
count:
  %i = phi i64 [ 0, %entry ], [ %i1, %counted ]
  %left = phi i32 [ 0, %entry ], [ %left1, %counted ]
  %wat = mul i64 %i, ${stride}
  %w = getelementptr i8, ptr %warps, i64 %wat
  %state = load i32, ptr %w[${warp_state}]
  %gone = icmp eq i32 %state, ${ended}
  %alive = load i32, ptr %w[${warp_alive}]
  %lanes = call i32 @llvm.ctpop.i32(i32 %alive)
  %here = select i1 %gone, i32 0, i32 %lanes
  br label %counted
counted:
  %left1 = add i32 %left, %here
  %i1 = add i64 %i, 1
  %all = icmp eq i64 %i1, ${warps}
  br i1 %all, label %look, label %count
look:
  %id = phi i32 [ 0, %counted ], [ %id1, %next ]
  %id64 = zext i32 %id to i64
  %at = mul i64 %id64, ${barrier_bytes}
  %bar = getelementptr i8, ptr %m[${processor_barriers}], i64 %at
  %arrived = load i32, ptr %bar
  %some = icmp sgt i32 %arrived, 0
  %enough = icmp sge i32 %arrived, %left1
  %expected = load i32, ptr %bar[${barrier_expected}]
  %whole = icmp eq i32 %expected, ${threads}
  %waits = and i1 %some, %enough
  %opens = and i1 %waits, %whole
  br i1 %opens, label %open, label %next
open:
  call void @arrive(ptr %m, ptr %warps, i32 %id, i32 0, i32 %arrived)
  ret i1 true
next:
  %id1 = add i32 %id, 1
  %end = icmp eq i32 %id1, ${barriers}
  br i1 %end, label %none, label %look
none:
  ret i1 false
}
