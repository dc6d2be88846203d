// Integer and bit intrinsics, conversions, and cached loads and stores.
#pragma once

template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(fmin(static_cast<T>(a), static_cast<T>(b)));
    } else {
        return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
    }
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(fmax(static_cast<T>(a), static_cast<T>(b)));
    } else {
        return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
    }
}
inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
    return reversed;
}
inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned __sad(int a, int b, unsigned c) {
    return static_cast<unsigned>(llabs(static_cast<long long>(a) - b)) + c;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned code = selector >> (4 * i) & 15;
        unsigned byte = static_cast<unsigned>(bytes >> (8 * (code & 7))) & 0xff;
        result |= (code & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
    }
    return result;
}

namespace sim {
template <class To, class From>
To bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace sim

inline float __int_as_float(int x) { return sim::bits<float>(x); }
inline int __float_as_int(float x) { return sim::bits<int>(x); }
inline float __uint_as_float(unsigned x) { return sim::bits<float>(x); }
inline unsigned __float_as_uint(float x) { return sim::bits<unsigned>(x); }
inline double __longlong_as_double(long long x) { return sim::bits<double>(x); }
inline long long __double_as_longlong(double x) { return sim::bits<long long>(x); }

// The suffix is the rounding: nearest even, towards zero, up, down.
#define SIM_CONVERT(FROM, T, TO, R)                                                    \
    inline R __##FROM##2##TO##_rn(T x) { return static_cast<R>(rint(x)); }             \
    inline R __##FROM##2##TO##_rz(T x) { return static_cast<R>(trunc(x)); }            \
    inline R __##FROM##2##TO##_ru(T x) { return static_cast<R>(ceil(x)); }             \
    inline R __##FROM##2##TO##_rd(T x) { return static_cast<R>(floor(x)); }
SIM_CONVERT(float, float, int, int)
SIM_CONVERT(float, float, uint, unsigned)
SIM_CONVERT(float, float, ll, long long)
SIM_CONVERT(float, float, ull, unsigned long long)
SIM_CONVERT(double, double, int, int)
SIM_CONVERT(double, double, uint, unsigned)
SIM_CONVERT(double, double, ll, long long)
#undef SIM_CONVERT
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

#define SIM_LOAD(NAME) \
    template <class T> \
    T NAME(const T *address) { return *address; }
SIM_LOAD(__ldg)
SIM_LOAD(__ldca)
SIM_LOAD(__ldcg)
SIM_LOAD(__ldcs)
SIM_LOAD(__ldlu)
SIM_LOAD(__ldcv)
#undef SIM_LOAD
#define SIM_STORE(NAME) \
    template <class T>  \
    void NAME(T *address, std::common_type_t<T> value) { *address = value; }
SIM_STORE(__stwb)
SIM_STORE(__stcg)
SIM_STORE(__stcs)
SIM_STORE(__stwt)
#undef SIM_STORE
