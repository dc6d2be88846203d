define internal void @$name(ptr %ra, ptr %rb, ptr %rc, ptr %rd, ptr %ta, ptr %tb, ptr %tc, ptr %td) noinline {
entry:
  %ma = alloca [$count_a x $element], align 64
  %mb = alloca [$count_b x $element], align 64
  %mc = alloca [$count_c x $element], align 64
  %md = alloca [$count_c x $element], align 64
  br label %a
$reads
product:
  br label %rows
rows:
  %i = phi i64 [ 0, %product ], [ %i1, %row.end ]
  %first.at = getelementptr $row, ptr %mc, i64 %i
  %first = load $row, ptr %first.at, align $size
  br label %terms
terms:
  %t = phi i64 [ 0, %rows ], [ %t1, %terms ]
  %sum = phi $row [ %first, %rows ], [ %sum1, %terms ]
  %line = mul i64 %i, $k
  %place = add i64 %line, %t
  %factor.at = getelementptr $element, ptr %ma, i64 %place
  %factor = load $element, ptr %factor.at
  %one = insertelement $row poison, $element %factor, i32 0
  %all = shufflevector $row %one, $row poison, <$n x i32> zeroinitializer
  %other.at = getelementptr $row, ptr %mb, i64 %t
  %other = load $row, ptr %other.at, align $size
$add
  %t1 = add i64 %t, 1
  %over = icmp eq i64 %t1, $k
  br i1 %over, label %row.end, label %terms
row.end:
  %row.at = getelementptr $row, ptr %md, i64 %i
  store $row %sum1, ptr %row.at, align $size
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, $m
  br i1 %done, label %back, label %rows
back:
  br label %back.loop
back.loop:
  %iback = phi i64 [ 0, %back ], [ %jback, %back.loop ]
  %whole.at = getelementptr $element, ptr %md, i64 %iback
  %whole = load $element, ptr %whole.at
  %to.at = getelementptr i16, ptr %td, i64 %iback
  %to = load i16, ptr %to.at
  %offset = zext i16 %to to i64
$narrowed
  store $stored $value, ptr %rd[%offset], align 1
  %jback = add i64 %iback, 1
  %last = icmp eq i64 %jback, $count_c
  br i1 %last, label %end, label %back.loop
end:
  ret void
}
