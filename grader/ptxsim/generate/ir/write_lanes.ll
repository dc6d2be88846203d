; Write a value of each lane to the host's memory.
define internal void @${name}(ptr %hosts, ptr %values) noinline {
${moves}
  ret void
}
