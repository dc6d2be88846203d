slow:
  %row_count = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  %row_lane = and i32 %row_count, 31
  %row_lane64 = zext i32 %row_lane to i64
  %row_a = load i64, ptr %addresses[i64 %row_lane64]
  %row_p = call ptr @local_row(ptr %w, i64 %row_a, i64 ${total})
  %row_none = icmp eq ptr %row_p, null
  br i1 %row_none, label %lanes_alone, label %same
same:
  %row_v = load <32 x i64>, ptr %addresses, align 8
  %row_av = insertelement <32 x i64> poison, i64 %row_a, i32 0
  %row_as = shufflevector <32 x i64> %row_av, <32 x i64> poison, <32 x i32> zeroinitializer
  %row_ne = icmp ne <32 x i64> %row_v, %row_as
  %row_others = bitcast <32 x i1> %row_ne to i32
  %row_apart = and i32 %row_others, %lanes
  %row_together = icmp eq i32 %row_apart, 0
  br i1 %row_together, label %row, label %lanes_alone
row:
  %row_bits = bitcast i32 %lanes to <32 x i1>
${rows}
  ret i1 true
