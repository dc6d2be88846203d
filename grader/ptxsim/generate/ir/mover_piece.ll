piece${piece}:
  %p${piece} = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 ${total}, i64 ${piece}, i32 %where, i32 %lane, i32 ${write})
  %n${piece} = icmp eq ptr %p${piece}, null
  br i1 %n${piece}, label %bad, label %copy${piece}
copy${piece}:
  %o${piece} = add i64 %own, ${behind}
  %t${piece} = getelementptr i8, ptr %values, i64 %o${piece}
  %x${piece} = load ${type}, ptr ${source}, align 1
  store ${type} %x${piece}, ptr ${target}, align 1
  br label %${next}
