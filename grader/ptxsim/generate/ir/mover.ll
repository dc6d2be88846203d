; Read or write values for each lane of a mask; movers.py has their layout.
define internal i1 @${name}(ptr %m, ptr %w, ptr %addresses, i32 %lanes, ptr %values, i32 %where) noinline {
entry:
  %hosts = alloca <32 x i64>, align 64
  %all = icmp ${acting}
  br i1 %all, label %range, label %slow
${range}fast:
${moves}
  ret i1 true
${row}lanes_alone:
  br label %loop
loop:
  %left = phi i32 [ %lanes, %lanes_alone ], [ %left1, %done ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %good, label %work
work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %a = load i64, ptr %addresses[i64 %lane64]
  %own = mul i64 %lane64, ${size}
  br label %piece0
${pieces}done:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}
