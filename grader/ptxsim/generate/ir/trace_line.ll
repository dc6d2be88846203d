; Append an access whose addresses lie at constant distances from that of the first lane.
define internal void @trace_line(ptr %m, ptr %w, i32 %kind, i32 %size, i32 %where, i32 %mask, i64 %start, ptr %offsets) noinline {
entry:
  %words = alloca <32 x i64>, align 64
  %narrow = load <32 x i32>, ptr %offsets, align 4
  %wide = sext <32 x i32> %narrow to <32 x i64>
  %single = insertelement <32 x i64> poison, i64 %start, i32 0
  %starts = shufflevector <32 x i64> %single, <32 x i64> poison, <32 x i32> zeroinitializer
  %addresses = add <32 x i64> %starts, %wide
  store <32 x i64> %addresses, ptr %words, align 64
  call void @trace(ptr %m, ptr %w, i32 %kind, i32 %size, i32 %where, i32 %mask, ptr %words)
  ret void
}
