// half and half2: storage, conversions and arithmetic. The names and meanings are those of the CUDA Math API,
// "Half Precision Intrinsics".
#pragma once

#include <cuda_runtime.h>

#include "sim/small_pair.h"

SIM_SMALL_FLOAT(__half, Binary16);
SIM_SMALL_PAIR(__half2, __half);
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline float __half2float(const __half &x) { return x.wide(); }
inline __half __int2half_rn(int x) { return __half(x); }
inline __half __uint2half_rn(unsigned x) { return __half(x); }
inline __half __short2half_rn(short x) { return __half(x); }
inline __half __ushort2half_rn(unsigned short x) { return __half(x); }
inline __half __ll2half_rn(long long x) { return __half(x); }
inline int __half2int_rn(const __half &x) { return static_cast<int>(rintf(x.wide())); }
inline int __half2int_rz(const __half &x) { return static_cast<int>(x.wide()); }
inline unsigned __half2uint_rn(const __half &x) { return static_cast<unsigned>(rintf(x.wide())); }
inline unsigned __half2uint_rz(const __half &x) { return static_cast<unsigned>(x.wide()); }
inline short __half_as_short(const __half &x) { return static_cast<short>(x.pattern()); }
inline unsigned short __half_as_ushort(const __half &x) { return x.pattern(); }
inline __half __short_as_half(short x) { return __half::from_bits(static_cast<unsigned short>(x)); }
inline __half __ushort_as_half(unsigned short x) { return __half::from_bits(x); }

inline __half2 make_half2(const __half &low, const __half &high) { return __half2(low, high); }
inline __half2 __halves2half2(const __half &low, const __half &high) { return __half2(low, high); }
inline __half2 __half2half2(const __half &x) { return __half2(x, x); }
inline __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
inline __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
inline __half2 __float22half2_rn(const float2 &x) { return __half2(__half(x.x), __half(x.y)); }
inline float2 __half22float2(const __half2 &x) { return make_float2(x.x.wide(), x.y.wide()); }
inline __half __low2half(const __half2 &x) { return x.x; }
inline __half __high2half(const __half2 &x) { return x.y; }
inline __half2 __low2half2(const __half2 &x) { return __half2(x.x, x.x); }
inline __half2 __high2half2(const __half2 &x) { return __half2(x.y, x.y); }
