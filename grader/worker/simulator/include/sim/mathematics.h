// Floating-point functions that CUDA has and the host's math library lacks.
#pragma once

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// The host compiler may contract a * b + c; these promise not to.
namespace sim {
template <class T>
T kept(T x) {
    __asm__("" : "+m"(x));
    return x;
}
}  // namespace sim
inline float __fadd_rn(float a, float b) { return sim::kept(a + b); }
inline float __fsub_rn(float a, float b) { return sim::kept(a - b); }
inline float __fmul_rn(float a, float b) { return sim::kept(a * b); }
inline float __fdiv_rn(float a, float b) { return sim::kept(a / b); }
inline float __frcp_rn(float a) { return sim::kept(1.0f / a); }
inline float __fsqrt_rn(float a) { return sim::kept(sqrtf(a)); }
inline float __frsqrt_rn(float a) { return rsqrtf(a); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return sim::kept(a + b); }
inline double __dsub_rn(double a, double b) { return sim::kept(a - b); }
inline double __dmul_rn(double a, double b) { return sim::kept(a * b); }
inline double __ddiv_rn(double a, double b) { return sim::kept(a / b); }
inline double __dsqrt_rn(double a) { return sim::kept(sqrt(a)); }
inline double __drcp_rn(double a) { return sim::kept(1.0 / a); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

namespace sim {
inline float fast_sin(float x) { return sinf(x); }
inline float fast_cos(float x) { return cosf(x); }
inline float fast_tan(float x) { return tanf(x); }
inline float fast_exp(float x) { return expf(x); }
inline float fast_exp10(float x) { return powf(10.0f, x); }
inline float fast_log(float x) { return logf(x); }
inline float fast_log2(float x) { return log2f(x); }
inline float fast_log10(float x) { return log10f(x); }
inline float fast_pow(float x, float y) { return powf(x, y); }
}  // namespace sim

// glibc's math.h declares some of these names for itself, so only a macro can give them another meaning.
#define __sinf ::sim::fast_sin
#define __cosf ::sim::fast_cos
#define __tanf ::sim::fast_tan
#define __expf ::sim::fast_exp
#define __exp10f ::sim::fast_exp10
#define __logf ::sim::fast_log
#define __log2f ::sim::fast_log2
#define __log10f ::sim::fast_log10
#define __powf ::sim::fast_pow
