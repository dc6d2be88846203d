
; One operation in a rounding mode other than to nearest. LLVM must not move it out of here.
define internal $type @$name($arguments) noinline strictfp {
  call void @llvm.set.rounding(i32 $mode) strictfp
  %result = call $type $intrinsic($arguments, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  call void @llvm.set.rounding(i32 1) strictfp
  ret $type %result
}
