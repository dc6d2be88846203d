; Return the host's pointer to words of local memory, those of the 32 lanes side by side; null for any other access.
define internal ptr @local_row(ptr %w, i64 %a, i64 %size) {
  %number = lshr i64 %a, ${segment_bits}
  %is_local = icmp eq i64 %number, ${local_segment}
  %in = and i64 %a, ${segment_mask}
  %o = sub i64 %in, ${first_local}
  %end = add i64 %o, %size
  %limit = load i64, ptr @local_bytes
  %fits = icmp ule i64 %end, %limit
  %positive = icmp sge i64 %o, 0
  %below = sub i64 %size, 1
  %low = and i64 %a, %below
  %aligned = icmp eq i64 %low, 0
  %inside = and i1 %fits, %positive
  %possible = and i1 %is_local, %aligned
  %ok = and i1 %inside, %possible
  %lp = load ptr, ptr %w[${warp_local}]
  %bytes = mul i64 %o, 32
  %p = getelementptr i8, ptr %lp, i64 %bytes
  %result = select i1 %ok, ptr %p, ptr null
  ret ptr %result
}
