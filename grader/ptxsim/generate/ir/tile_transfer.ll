; Copy the lines of a tile between memory and a buffer; a fault reports the first byte out of bounds.
define internal i1 @tile_transfer(ptr %m, ptr %w, i64 %start, i32 %stride32, i32 %lines, i32 %length32, i32 %size32, ptr %packed, i32 %write, i32 %where) noinline {
entry:
  %low = and i64 %start, ${below_alignment}
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %leading, label %misaligned
misaligned:
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${kind_tile_misaligned}, i32 %where, i32 0, i64 %start, i32 ${alignment}, i32 %write)
  ret i1 false
leading:
  %stride0 = zext i32 %stride32 to i64
  %size = zext i32 %size32 to i64
  %length0 = zext i32 %length32 to i64
  %stride = mul i64 %stride0, %size
  %length = mul i64 %length0, %size
  %rest = and i64 %stride, 15
  %multiple = icmp eq i64 %rest, 0
  br i1 %multiple, label %loop_start, label %bad_leading
bad_leading:
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${kind_tile_leading}, i32 %where, i32 0, i64 %stride0, i32 %size32, i32 %write)
  ret i1 false
loop_start:
  %unit = call i64 @llvm.umin.i64(i64 %size, i64 4)
  %last = sub i64 %length, %unit
  br label %loop
loop:
  %i = phi i32 [ 0, %loop_start ], [ %i1, %next ]
  %a = phi i64 [ %start, %loop_start ], [ %a1, %next ]
  %b = phi ptr [ %packed, %loop_start ], [ %b1, %next ]
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %unit, i64 0, i32 %where, i32 0, i32 %write)
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %end_check
end_check:
  %q = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %unit, i64 %last, i32 %where, i32 0, i32 %write)
  %null2 = icmp eq ptr %q, null
  br i1 %null2, label %find_first, label %copy
copy:
  %writes = icmp ne i32 %write, 0
  br i1 %writes, label %out, label %in
out:
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %b, i64 %length, i1 false)
  br label %next
in:
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %p, i64 %length, i1 false)
  br label %next
next:
  %a1 = add i64 %a, %stride
  %b1 = getelementptr i8, ptr %b, i64 %length
  %i1 = add i32 %i, 1
  %over = icmp eq i32 %i1, %lines
  br i1 %over, label %good, label %loop
find_first:
  %o = phi i64 [ 0, %end_check ], [ %o1, %still ]
  %f = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %unit, i64 %o, i32 %where, i32 0, i32 %write)
  %null3 = icmp eq ptr %f, null
  br i1 %null3, label %bad, label %still
still:
  %o1 = add i64 %o, %unit
  br label %find_first
good:
  ret i1 true
bad:
  ret i1 false
}
