; Append an event to the launch's trace: its kind and size, place, mask, warp and block, and 32 addresses or values.
; Left out are blocks away from the grid's edges, accesses to shared memory except in the outermost of them unless they
; may order others, reads of segments that no thread writes, and the rest of a warp from the event on for which its block has no room.
; Of the blocks drawn, whose numbers leave one remainder, all is recorded, wherever they are.
; Each warp has room for its share, so that one that runs ahead of the others does not take all; an event of its own says
; where a warp's end. The values of a write
; are left out together with it: the trace has room for all or for none.
define internal void @trace(ptr %m, ptr %w, i32 %kind_and_flags, i32 %size, i32 %where, i32 %mask, ptr %words) noinline {
entry:
  %t = load ptr, ptr %m[${processor_trace}]
  %none = icmp eq i32 %mask, 0
  br i1 %none, label %end, label %place
place:
  %kind = and i32 %kind_and_flags, ${kind_mask}
  %flags = lshr i32 %kind_and_flags, ${kind_bits}
  %edge_limit = load i64, ptr %t[${trace_edge}]
  %edge = call i1 @near_edge(ptr %m, i64 %edge_limit)
  %b = load i64, ptr %m[${processor_block}]
  %every = load i64, ptr %t[${trace_every}]
  %chosen = load i64, ptr %t[${trace_chosen}]
  %rest = urem i64 %b, %every
  %is_drawn = icmp eq i64 %rest, %chosen
  %is_recorded = or i1 %edge, %is_drawn
  br i1 %is_recorded, label %segment, label %end
segment:
  %pskips = getelementptr i8, ptr %t, i64 ${trace_skips}
  %is_values = icmp eq i32 %kind, ${values}
  br i1 %is_values, label %behind, label %other
behind:
  %skips = load i64, ptr %pskips
  %skipped = icmp ne i64 %skips, 0
  br i1 %skipped, label %end, label %room
other:
  store i64 0, ptr %pskips
  %has_words = icmp ne ptr %words, null
  br i1 %has_words, label %first, label %room
first:
  %lane = call i32 @llvm.cttz.i32(i32 %mask, i1 false)
  %lane64 = zext i32 %lane to i64
  %a = load i64, ptr %words[i64 %lane64]
  %number = lshr i64 %a, ${segment_bits}
  %is_shared = icmp eq i64 %number, ${shared}
  %is_atomic = icmp eq i32 %kind, ${atomic}
  %is_object = icmp eq i32 %kind, ${object}
  %volatile_flag = and i32 %flags, ${volatile}
  %is_volatile = icmp ne i32 %volatile_flag, 0
  %special = or i1 %is_atomic, %is_object
  %orders = or i1 %special, %is_volatile
  %data = xor i1 %orders, true
  %shared_data = and i1 %is_shared, %data
  br i1 %shared_data, label %inner, label %reading
inner:
  %shared_limit = load i64, ptr %t[${trace_shared_edge}]
  %outermost = call i1 @near_edge(ptr %m, i64 %shared_limit)
  %all_recorded = or i1 %outermost, %is_drawn
  br i1 %all_recorded, label %room, label %leave_out
reading:
  %reads = icmp eq i32 %kind, ${read}
  br i1 %reads, label %read_only, label %room
read_only:
  %known = call i64 @llvm.umin.i64(i64 %number, i64 63)
  %read_only_bits = load i64, ptr %t[${trace_read_only}]
  %bit = lshr i64 %read_only_bits, %known
  %skip = trunc i64 %bit to i1
  br i1 %skip, label %end, label %room
room:
  %count = load i64, ptr %t
  %plast = getelementptr i8, ptr %t, i64 ${trace_block}
  %last = load i64, ptr %plast
  %same = icmp eq i64 %b, %last
  %pstart = getelementptr i8, ptr %t, i64 ${trace_block_start}
  %old_start = load i64, ptr %pstart
  %start = select i1 %same, i64 %old_start, i64 %count
  store i64 %b, ptr %plast
  store i64 %start, ptr %pstart
  %pwarps = getelementptr i8, ptr %t, i64 ${trace_warp_events}
  %preserved = getelementptr i8, ptr %t, i64 ${trace_reserved}
  br i1 %same, label %needed, label %new_block
new_block:
  call void @llvm.memset.p0.i64(ptr %pwarps, i8 0, i64 ${warp_events_bytes}, i1 false)
  %reserve = load i64, ptr %t[${trace_reserve}]
  store i64 %reserve, ptr %preserved
  br label %needed
needed:
  %has_one_value = icmp slt i32 %size, 16
  %eighths = lshr i32 %size, 3
  %of_values = select i1 %has_one_value, i32 1, i32 %eighths
  %wide_values = zext i32 %of_values to i64
  %of_other = add i64 %wide_values, 1
  %needs = select i1 %is_values, i64 1, i64 %of_other
  %limit = load i64, ptr %t[${trace_limit}]
  %block_limit = load i64, ptr %t[${trace_block_limit}]
  %all = add i64 %count, %needs
  %full = icmp sgt i64 %all, %limit
  %of_block = sub i64 %all, %start
  %reserved = load i64, ptr %preserved
  %taken = add i64 %of_block, %reserved
  %block_full = icmp sgt i64 %taken, %block_limit
  %n = load i32, ptr %w[${warp_number}]
  %low = and i32 %n, ${last_warp}
  %pwarp_events = getelementptr i64, ptr %pwarps, i32 %low
  %warp_events = load i64, ptr %pwarp_events
  %more_of_warp = add i64 %warp_events, 1
  %warp_needs = add i64 %warp_events, %needs
  %share = load i64, ptr %t[${trace_warp_share}]
  %beyond_share = icmp sgt i64 %warp_needs, %share
  %no_share = and i1 %block_full, %beyond_share
  %has_ended = icmp sge i64 %warp_events, ${ended}
  %no_more = or i1 %no_share, %has_ended
  %no_room = or i1 %full, %no_more
  br i1 %no_room, label %lost, label %append
lost:
  store i64 1, ptr %t[${trace_lost}]
  %shares = icmp sgt i64 %share, 0
  %ends = xor i1 %has_ended, true
  %last_place = add i64 %limit, ${room_for_ends}
  %has_place = icmp slt i64 %count, %last_place
  %may_say = and i1 %shares, %has_place
  %says = and i1 %may_say, %ends
  br i1 %says, label %end_of_warp, label %leave_out
end_of_warp:
  store i64 1, ptr %pskips
  br label %append
leave_out:
  store i64 1, ptr %pskips
  ret void
append:
  %kind_or_end = phi i32 [ %kind, %needed ], [ ${lost}, %end_of_warp ]
  %events_of_warp = phi i64 [ %more_of_warp, %needed ], [ ${ended}, %end_of_warp ]
  %more = add i64 %count, 1
  store i64 %more, ptr %t
  store i64 %events_of_warp, ptr %pwarp_events
  %of_share = icmp sle i64 %events_of_warp, %share
  %used = zext i1 %of_share to i64
  %left_over = sub i64 %reserved, %used
  store i64 %left_over, ptr %preserved
  %scaled = mul i64 %count, ${event_bytes}
  %at = add i64 %scaled, ${first_event}
  %e = getelementptr i8, ptr %t, i64 %at
  store i32 %kind_or_end, ptr %e
  store i32 %size, ptr %e[4]
  store i32 %where, ptr %e[8]
  store i32 %mask, ptr %e[12]
  store i32 %n, ptr %e[16]
  store i32 %flags, ptr %e[20]
  store i64 %b, ptr %e[24]
  %pwords = getelementptr i8, ptr %e, i64 32
  %words_are_null = icmp eq ptr %words, null
  br i1 %words_are_null, label %end, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %pwords, ptr %words, i64 256, i1 false)
  br label %end
end:
  ret void
}

; Whether the block is at most that many blocks away from the grid's edges in x and in y.
define internal i1 @near_edge(ptr %m, i64 %limit) {
  %most = trunc i64 %limit to i32
  %x = load i32, ptr %m[${processor_block_x}]
  %gx = load i32, ptr %m[${processor_grid_x}]
  %y = load i32, ptr %m[${processor_block_y}]
  %gy = load i32, ptr %m[${processor_grid_y}]
  %left = icmp slt i32 %x, %most
  %rx = sub i32 %gx, %x
  %right = icmp sle i32 %rx, %most
  %above = icmp slt i32 %y, %most
  %ry = sub i32 %gy, %y
  %below = icmp sle i32 %ry, %most
  %ex = or i1 %left, %right
  %ey = or i1 %above, %below
  %near = and i1 %ex, %ey
  ret i1 %near
}
