; What follows is run for each lane of a mask, in order. Control comes from one label, and again from another one.
loop:
  %left = phi i32 [ ${mask}, %${first} ], [ %left1, %${again} ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %${end}, label %each_lane
each_lane:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
