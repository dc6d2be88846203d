; Whether all lanes of a mask access one segment, aligned, within its bounds; `hosts` then has the host's pointers.
; A lane outside the mask has the pointer of the first lane in it. Local memory is no such segment.
define internal i1 @one_segment(ptr %m, ptr %addresses, i32 %lanes, i64 %size, i64 %write, ptr %hosts) noinline {
entry:
  %none = icmp eq i32 %lanes, 0
  br i1 %none, label %bad, label %range
range:
  %first = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  %first64 = zext i32 %first to i64
  %pfirst = getelementptr i64, ptr %addresses, i64 %first64
  %a0 = load i64, ptr %pfirst
  %number = lshr i64 %a0, ${segment_bits}
  %other = call i64 @llvm.umin.i64(i64 %number, i64 ${last_segment})
  %shifted = lshr i64 %a0, ${array_bits}
  %in_window = and i64 %shifted, ${last_array}
  %array = add i64 %in_window, ${first_array}
  %is_shared = icmp eq i64 %number, ${shared_segment}
  %known = select i1 %is_shared, i64 %array, i64 %other
  %scaled = mul i64 %known, ${segment_bytes}
  %segment = getelementptr i8, ptr %m, i64 %scaled
  %start = load i64, ptr %segment
  %pe = getelementptr i8, ptr %segment, i64 8
  %end = load i64, ptr %pe
  %pd = getelementptr i8, ptr %segment, i64 16
  %delta = load i64, ptr %pd
  %pw = getelementptr i8, ptr %segment, i64 24
  %writable = load i64, ptr %pw
  %may = icmp sge i64 %writable, %write
  %extent = sub i64 %end, %start
  %room = sub i64 %extent, %size
  %fits = icmp sge i64 %room, 0
  %possible = and i1 %may, %fits
  br i1 %possible, label %compare, label %bad
compare:
  %v = load <32 x i64>, ptr %addresses, align 8
  %bits = bitcast i32 %lanes to <32 x i1>
  %a0v = insertelement <32 x i64> poison, i64 %a0, i32 0
  %a0s = shufflevector <32 x i64> %a0v, <32 x i64> poison, <32 x i32> zeroinitializer
  %chosen = select <32 x i1> %bits, <32 x i64> %v, <32 x i64> %a0s
  %deltav = insertelement <32 x i64> poison, i64 %delta, i32 0
  %deltas = shufflevector <32 x i64> %deltav, <32 x i64> poison, <32 x i32> zeroinitializer
  %moved = add <32 x i64> %chosen, %deltas
  store <32 x i64> %moved, ptr %hosts, align 8
  %startv = insertelement <32 x i64> poison, i64 %start, i32 0
  %starts = shufflevector <32 x i64> %startv, <32 x i64> poison, <32 x i32> zeroinitializer
  %away = sub <32 x i64> %chosen, %starts
  %roomv = insertelement <32 x i64> poison, i64 %room, i32 0
  %rooms = shufflevector <32 x i64> %roomv, <32 x i64> poison, <32 x i32> zeroinitializer
  %inside = icmp ule <32 x i64> %away, %rooms
  %below = sub i64 %size, 1
  %belowv = insertelement <32 x i64> poison, i64 %below, i32 0
  %belows = shufflevector <32 x i64> %belowv, <32 x i64> poison, <32 x i32> zeroinitializer
  %low = and <32 x i64> %chosen, %belows
  %aligned = icmp eq <32 x i64> %low, zeroinitializer
  %both = and <32 x i1> %inside, %aligned
  %truth = bitcast <32 x i1> %both to i32
  %whole = icmp eq i32 %truth, -1
  ret i1 %whole
bad:
  ret i1 false
}
