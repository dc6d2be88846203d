; Read the ${count} values from each address on, for the lanes of a mask, if one segment has all of them; movers.py has
; their layout. Otherwise nothing is read, and the result is false.
define internal i1 @${name}(ptr %m, ptr %addresses, i32 %lanes, ptr %values) noinline {
entry:
  %hosts = alloca <32 x i64>, align 64
  %any = icmp ne i32 %lanes, 0
  br i1 %any, label %range, label %other
include one_segment total=${total} below_unit=${below_size} otherwise=other write=0
fast:
${moves}
  ret i1 true
other:
  ret i1 false
}
