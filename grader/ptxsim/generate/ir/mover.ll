; Read or write values for each lane of a mask; movers.py has their layout.
define internal i1 @${name}(ptr %m, ptr %w, ptr %addresses, i32 %lanes, ptr %values, i32 %where) noinline {
entry:
  %hosts = alloca <32 x i64>, align 64
  %all = icmp ${acting}
  br i1 %all, label %range, label %slow
include one_segment total=${total} below_unit=${below_total} otherwise=slow write=${write}
fast:
${moves}
  ret i1 true
${row}lanes_alone:
  br label %loop
include each_lane mask=%lanes first=lanes_alone again=done end=good
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
