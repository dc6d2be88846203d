; Read, compute and write for each lane of a mask, in the order of the lanes.
define internal i1 @${name}(ptr %m, ptr %w, ptr %addresses, i32 %lanes, ptr %a, ptr %b, ptr %out, i32 %where) noinline {
entry:
  %hosts = alloca <32 x i64>, align 64
  %some = icmp ne i32 %lanes, 0
  br i1 %some, label %range, label %good
include one_segment total=${size} below_unit=${below_size} otherwise=alone write=1
fast:
  br label %loop
alone:
  br label %loop
loop:
  %checked = phi i1 [ true, %fast ], [ false, %alone ], [ %checked, %change ]
  %left = phi i32 [ %lanes, %fast ], [ %lanes, %alone ], [ %left1, %change ]
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %address = load i64, ptr %addresses[i64 %lane64]
  br i1 %checked, label %known_place, label %resolve_first
known_place:
  %inside_segment = load ptr, ptr %hosts[ptr %lane64]
  br label %copy
resolve_first:
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %address, i64 ${size}, i64 0, i32 %where, i32 %lane, i32 1)
  %bad1 = icmp eq ptr %p, null
  br i1 %bad1, label %bad, label %rest
rest:
  %q = call ptr @resolve(ptr %m, ptr %w, i64 %address, i64 ${size}, i64 ${last_word}, i32 %where, i32 %lane, i32 1)
  %bad2 = icmp eq ptr %q, null
  br i1 %bad2, label %bad, label %all_of_it
all_of_it:
  %behind = getelementptr i8, ptr %p, i64 ${last_word}
  %together = icmp eq ptr %q, %behind
  br i1 %together, label %copy, label %apart
apart:
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${kind_memory}, i32 %where, i32 %lane, i64 %address, i32 ${size}, i32 1)
  ret i1 false
copy:
  %at = phi ptr [ %inside_segment, %known_place ], [ %p, %all_of_it ]
  %element = getelementptr i8, ptr %at, i64 ${place}
  %old = load ${element}, ptr %element, align 1
  %x = load ${element}, ptr %a[${element} %lane64], align 1
  %y = load ${element}, ptr %b[${element} %lane64], align 1
${check}
  br i1 ${accepted}, label %change, label %refuse
refuse:
  call void @leave_access_fault(ptr %m, ptr %w, i32 ${refusal}, i32 %where, i32 %lane, i64 %address, i32 ${size}, i32 ${reason})
  ret i1 false
change:
${body}
  store ${element} ${new}, ptr %element, align 1
  store ${element} %old, ptr %out[${element} %lane64], align 1
  %none = icmp eq i32 %left1, 0
  br i1 %none, label %good, label %loop
good:
  ret i1 true
bad:
  ret i1 false
}
