; Append the asynchronous copy that a warp has just started: where it writes, and then the bytes that it has read, eight of
; each lane in an event.
define internal void @trace_copy(ptr %m, ptr %w, ptr %q, ptr %tos, i32 %size, i32 %where, i32 %lanes) noinline {
entry:
  %words = alloca <32 x i64>, align 64
  call void @trace(ptr %m, ptr %w, i32 ${copy}, i32 %size, i32 %where, i32 %lanes, ptr %tos)
  %count = load i32, ptr %q
  %last = sub i32 %count, 1
  %last64 = zext i32 %last to i64
  %at = mul i64 %last64, ${stride}
  %at1 = add i64 %at, ${first_data}
  %data = getelementptr i8, ptr %q, i64 %at1
  %size64 = zext i32 %size to i64
  br label %part
part:
  %done = phi i32 [ 0, %entry ], [ %more, %write ]
  %done64 = zext i32 %done to i64
  br label %lane
lane:
  %n = phi i64 [ 0, %part ], [ %n1, %lane ]
  %own = mul i64 %n, %size64
  %byte = add i64 %own, %done64
  %value = load i64, ptr %data[%byte], align 4
  store i64 %value, ptr %words[i64 %n], align 8
  %n1 = add i64 %n, 1
  %all = icmp eq i64 %n1, 32
  br i1 %all, label %write, label %lane
write:
  call void @trace(ptr %m, ptr %w, i32 ${values}, i32 8, i32 %where, i32 %lanes, ptr %words)
  %more = add i32 %done, 8
  %left = icmp slt i32 %more, %size
  br i1 %left, label %part, label %end
end:
  ret void
}
