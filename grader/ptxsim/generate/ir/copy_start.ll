; Read the source of each lane's copy, and keep the bytes until the lane waits for the copy. Usually all lanes write whole
; elements to one segment; otherwise each lane has checks of its own.
define internal i1 @copy_start_${size}(ptr %m, ptr %w, ptr %q, ptr %addresses, ptr %froms, ptr %lengths, i32 %lanes, i32 %where) noinline {
entry:
  %e = call ptr @copy_entry(ptr %q, i32 %lanes, ptr @copy_out_${size})
  %hosts = getelementptr i8, ptr %e, i64 ${to}
  %pdatas = getelementptr i8, ptr %e, i64 ${data}
  %wanted = load <32 x i32>, ptr %lengths, align 4
  %wholes = icmp uge <32 x i32> %wanted, splat (i32 ${size})
  %wholes32 = bitcast <32 x i1> %wholes to i32
  %complete = and i32 %wholes32, %lanes
  %all = icmp eq i32 %complete, %lanes
  %some = icmp ne i32 %lanes, 0
  %together = and i1 %all, %some
  br i1 %together, label %range, label %slow
include one_segment total=${size} below_unit=${below_size} otherwise=slow write=1
fast:
  %ok = call i1 @copy_in_${size}(ptr %m, ptr %w, ptr %froms, i32 %lanes, ptr %pdatas, i32 %where)
  ret i1 %ok
slow:
  %good = call i1 @copy_each(ptr %m, ptr %w, ptr %addresses, ptr %froms, ptr %lengths, i32 %lanes, i64 ${size}, ptr %hosts, ptr %pdatas, i32 %where)
  ret i1 %good
}
