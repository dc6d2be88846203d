; Add the lanes that are here to those that wait at a warp operation, and return the lanes that need not wait any more.
; Their results are computed.
define internal i32 @${name}(ptr %m, ptr %w, ptr %waiting.at, i32 %here, i32 %alive) noinline {
entry:
${before}
  %elsewhere = load i32, ptr %waiting.at
  %waiting = or i32 %elsewhere, %here
  %going = call i32 @together(<32 x i32> ${masks}, i32 %waiting, i32 %here, i32 %alive)
  %others = xor i32 %going, -1
  %still = and i32 %waiting, %others
  store i32 %still, ptr %waiting.at
  %some = icmp ne i32 %going, 0
  br i1 %some, label %results, label %end
${results}
  br label %end
end:
  ret i32 %going
}
