$x:
  br label %$x.loop
$x.loop:
  %i$x = phi i64 [ 0, %$x ], [ %j$x, %$x.loop ]
  %from.at$x = getelementptr i16, ptr %t$x, i64 %i$x
  %from$x = load i16, ptr %from.at$x
  %offset$x = zext i16 %from$x to i64
  %source$x = getelementptr i8, ptr %r$x, i64 %offset$x
  %raw$x = load i$bits, ptr %source$x, align 1
$converted
  %target$x = getelementptr $element, ptr %m$x, i64 %i$x
  store $element $value, ptr %target$x
  %j$x = add i64 %i$x, 1
  %over$x = icmp eq i64 %j$x, $count
  br i1 %over$x, label %$following, label %$x.loop
