; The part of a function that goes on at %fast if one segment has what all lanes of %lanes access, each aligned to a unit;
; %hosts then has the host's pointers, for other lanes that of the first one. Local memory is no such segment.
range:
  %first = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  %first64 = zext i32 %first to i64
  %a0 = load i64, ptr %addresses[i64 %first64]
include segment address=%a0
  %start = load i64, ptr %segment
  %end = load i64, ptr %segment[8]
  %delta = load i64, ptr %segment[16]
  %writable = load i64, ptr %segment[24]
  %may = icmp sge i64 %writable, ${write}
  %extent = sub i64 %end, %start
  %room = sub i64 %extent, ${total}
  %fits = icmp sge i64 %room, 0
  %possible = and i1 %may, %fits
  br i1 %possible, label %compare, label %${otherwise}
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
  %lowbits = and <32 x i64> %chosen, splat (i64 ${below_unit})
  %aligned = icmp eq <32 x i64> %lowbits, zeroinitializer
  %both = and <32 x i1> %inside, %aligned
  %truth = bitcast <32 x i1> %both to i32
  %all_inside = icmp eq i32 %truth, -1
  br i1 %all_inside, label %fast, label %${otherwise}
