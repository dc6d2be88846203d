// __nv_bfloat16 and __nv_bfloat162: storage, conversions and arithmetic. The names and meanings are those of the CUDA
// Math API, "Bfloat16 Precision Intrinsics".
#pragma once

#include <cuda_runtime.h>

#include "sim/small_pair.h"

SIM_SMALL_FLOAT(__nv_bfloat16, Bfloat16);
SIM_SMALL_PAIR(__nv_bfloat162, __nv_bfloat16);
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
inline float __bfloat162float(const __nv_bfloat16 &x) { return x.wide(); }
inline __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
inline int __bfloat162int_rn(const __nv_bfloat16 &x) { return static_cast<int>(rintf(x.wide())); }
inline int __bfloat162int_rz(const __nv_bfloat16 &x) { return static_cast<int>(x.wide()); }
inline unsigned short __bfloat16_as_ushort(const __nv_bfloat16 &x) { return x.pattern(); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16::from_bits(x); }

inline __nv_bfloat162 make_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high) { return {low, high}; }
inline __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high) { return {low, high}; }
inline __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 &x) { return {x, x}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
    return {__nv_bfloat16(low), __nv_bfloat16(high)};
}
inline __nv_bfloat162 __float22bfloat162_rn(const float2 &x) { return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)}; }
inline float2 __bfloat1622float2(const __nv_bfloat162 &x) { return make_float2(x.x.wide(), x.y.wide()); }
inline __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 &x) { return x.x; }
inline __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 &x) { return x.y; }
