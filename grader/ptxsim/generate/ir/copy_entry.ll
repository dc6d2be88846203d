; Append an entry to the list of copies, with the function that writes them, and return it. A full list drops what its
; beginning no longer needs.
define internal ptr @copy_entry(ptr %q, i32 %lanes, ptr %write) {
entry:
  %c0 = load i32, ptr %q
  %full = icmp sge i32 %c0, ${most}
  br i1 %full, label %make_room, label %begin
make_room:
  %pfirst = getelementptr i8, ptr %q, i64 ${first}
  %first_kept = load i32, ptr %pfirst
  %has_room = icmp sgt i32 %first_kept, 0
  br i1 %has_room, label %shift, label %drain
shift:
  %first64 = zext i32 %first_kept to i64
  %skipped = mul i64 %first64, ${stride}
  %pto0 = getelementptr i8, ptr %q, i64 ${entries}
  %rest_count = sub i32 %c0, %first_kept
  %rest64 = zext i32 %rest_count to i64
  %rest_bytes = mul i64 %rest64, ${stride}
  call void @llvm.memmove.p0.p0.i64(ptr %pto0, ptr %pto0[%skipped], i64 %rest_bytes, i1 false)
  store i32 %rest_count, ptr %q
  store i32 0, ptr %pfirst
  br label %begin
drain:
  call void @copies_wait(ptr %q, i32 -1, i32 -${all_groups})
  br label %begin
begin:
  %count = load i32, ptr %q
  %more = add i32 %count, 1
  store i32 %more, ptr %q
  %i64 = zext i32 %count to i64
  %at = mul i64 %i64, ${stride}
  %at1 = add i64 %at, ${entries}
  %e = getelementptr i8, ptr %q, i64 %at1
  store i32 %lanes, ptr %e
  store ptr %write, ptr %e[${write}]
  %ptags = getelementptr i8, ptr %e, i64 ${tags}
  call void @llvm.memcpy.p0.p0.i64(ptr %ptags, ptr %q[${groups}], i64 ${word_of_lanes}, i1 false)
  ret ptr %e
}
