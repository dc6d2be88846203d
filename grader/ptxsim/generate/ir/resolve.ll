; Return the host's pointer to the byte `piece` bytes after a simulated address; after writing a fault, null.
; An access of `size` bytes must be aligned; at most 4 bytes from the pointer on are checked.
define internal ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %size, i64 %piece, i32 %where, i32 %lane, i32 %write) {
  %below = sub i64 %size, 1
  %low = and i64 %a, %below
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %find, label %misaligned
misaligned:
  %size32 = trunc i64 %size to i32
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${kind_misaligned}, i32 %where, i32 %lane, i64 %a, i32 %size32, i32 %write)
  ret ptr null
find:
  %remaining = sub i64 %size, %piece
  %inner = icmp ult i64 %piece, %size
  %length = select i1 %inner, i64 %remaining, i64 %size
  %b = add i64 %a, %piece
  %space = lshr i64 %b, ${segment_bits}
  %is_local = icmp eq i64 %space, ${local_segment}
  br i1 %is_local, label %local, label %global
global:
include segment address=%b
  %start = load i64, ptr %segment
  %end = load i64, ptr %segment[8]
  %delta = load i64, ptr %segment[16]
  %writable = load i64, ptr %segment[24]
  %unit = call i64 @llvm.umin.i64(i64 %length, i64 4)
  %extent = sub i64 %end, %start
  %room = sub i64 %extent, %unit
  %away = sub i64 %b, %start
  %above = icmp sge i64 %room, 0
  %inside = icmp ule i64 %away, %room
  %write64 = sext i32 %write to i64
  %may = icmp sge i64 %writable, %write64
  %ok1 = and i1 %above, %inside
  %ok = and i1 %ok1, %may
  br i1 %ok, label %good, label %bad
good:
  %host = add i64 %b, %delta
  %p = inttoptr i64 %host to ptr
  ret ptr %p
local:
  %in = and i64 %b, ${segment_mask}
  %o = sub i64 %in, ${first_local}
  %unit2 = call i64 @llvm.umin.i64(i64 %length, i64 4)
  %o2 = add i64 %o, %unit2
  %limit = load i64, ptr @local_bytes
  %fits = icmp ule i64 %o2, %limit
  %positive = icmp sge i64 %o, 0
  %lok = and i1 %fits, %positive
  br i1 %lok, label %lgood, label %bad
lgood:
  %lp = load ptr, ptr %w[${warp_local}]
  %word = lshr i64 %o, 2
  %row = mul i64 %word, ${word_of_lanes}
  %lane64 = zext i32 %lane to i64
  %column = mul i64 %lane64, 4
  %rest = and i64 %o, 3
  %x1 = add i64 %row, %column
  %x2 = add i64 %x1, %rest
  ret ptr %lp[%x2]
bad:
  %size33 = trunc i64 %size to i32
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${kind_memory}, i32 %where, i32 %lane, i64 %b, i32 %size33, i32 %write)
  ret ptr null
}
