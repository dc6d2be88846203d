; Return the lanes that need not wait any more at a warp operation, of those that do. All that are here go on if all lanes
; that their masks name are here, too, except those that have ended; others if all that their mask names wait with the same.
define internal i32 @together(<32 x i32> %masks, i32 %waiting, i32 %here, i32 %alive) noinline {
entry:
  %here_bits = bitcast i32 %here to <32 x i1>
  %named = select <32 x i1> %here_bits, <32 x i32> %masks, <32 x i32> zeroinitializer
  %any = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %named)
  %awaited = and i32 %any, %alive
  %elsewhere = xor i32 %here, -1
  %lacking = and i32 %awaited, %elsewhere
  %all_here = icmp eq i32 %lacking, 0
  %at_once = select i1 %all_here, i32 %here, i32 0
  %not_at_once = xor i32 %at_once, -1
  %others = and i32 %waiting, %not_at_once
  br label %groups
groups:
  %left = phi i32 [ %others, %entry ], [ %less, %group ]
  %going = phi i32 [ %at_once, %entry ], [ %more, %group ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %end, label %group
group:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %mask = extractelement <32 x i32> %masks, i32 %lane
  %first = insertelement <32 x i32> poison, i32 %mask, i32 0
  %of_all = shufflevector <32 x i32> %first, <32 x i32> poison, <32 x i32> zeroinitializer
  %equal = icmp eq <32 x i32> %masks, %of_all
  %same = bitcast <32 x i1> %equal to i32
  %agree = and i32 %same, %left
  %others_than_these = xor i32 %agree, -1
  %needed = and i32 %mask, %alive
  %missing = and i32 %needed, %others_than_these
  %complete = icmp eq i32 %missing, 0
  %released = select i1 %complete, i32 %agree, i32 0
  %more = or i32 %going, %released
  %less = and i32 %left, %others_than_these
  br label %groups
end:
  ret i32 %going
}
