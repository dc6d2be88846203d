; Write a value of each lane of a mask to the host's memory.
define internal void @${name}(ptr %hosts, ptr %values, i32 %lanes) noinline {
entry:
  %all = icmp eq i32 %lanes, -1
  br i1 %all, label %fast, label %loop
fast:
${moves}
  ret void
include each_lane mask=%lanes first=entry again=each_lane end=end
  %host = load ptr, ptr %hosts[ptr %lane64]
  %value = load ${type}, ptr %values[${type} %lane64], align 1
  store ${type} %value, ptr %host, align 1
  br label %loop
end:
  ret void
}
