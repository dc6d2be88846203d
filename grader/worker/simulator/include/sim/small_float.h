// What the 16-bit floating-point types have in common: each operation is done in float and rounded once.
#pragma once

#include "small_formats.h"

namespace sim {

// A float holds more than twice the bits of either format, and two more: rounding the float result of one sum, product,
// quotient or square root a second time changes nothing (Figueroa, "When is double rounding innocuous?", 1995).
template <class T>
struct SmallFloat {
    friend T operator+(const T &a, const T &b) { return T(a.wide() + b.wide()); }
    friend T operator-(const T &a, const T &b) { return T(a.wide() - b.wide()); }
    friend T operator*(const T &a, const T &b) { return T(a.wide() * b.wide()); }
    friend T operator/(const T &a, const T &b) { return T(a.wide() / b.wide()); }
    friend T operator+(const T &a) { return a; }
    friend T operator-(const T &a) { return __hneg(a); }
    friend T &operator+=(T &a, const T &b) { return a = a + b; }
    friend T &operator-=(T &a, const T &b) { return a = a - b; }
    friend T &operator*=(T &a, const T &b) { return a = a * b; }
    friend T &operator/=(T &a, const T &b) { return a = a / b; }
    friend T &operator++(T &a) { return a = a + T(1.0f); }
    friend T &operator--(T &a) { return a = a - T(1.0f); }
    friend T operator++(T &a, int) { T old = a; ++a; return old; }
    friend T operator--(T &a, int) { T old = a; --a; return old; }
    friend bool operator==(const T &a, const T &b) { return a.wide() == b.wide(); }
    friend bool operator!=(const T &a, const T &b) { return !(a == b); }
    friend bool operator<(const T &a, const T &b) { return a.wide() < b.wide(); }
    friend bool operator<=(const T &a, const T &b) { return a.wide() <= b.wide(); }
    friend bool operator>(const T &a, const T &b) { return a.wide() > b.wide(); }
    friend bool operator>=(const T &a, const T &b) { return a.wide() >= b.wide(); }

    friend T __hadd(const T &a, const T &b) { return a + b; }
    friend T __hsub(const T &a, const T &b) { return a - b; }
    friend T __hmul(const T &a, const T &b) { return a * b; }
    friend T __hdiv(const T &a, const T &b) { return a / b; }
    friend T __hadd_rn(const T &a, const T &b) { return a + b; }
    friend T __hsub_rn(const T &a, const T &b) { return a - b; }
    friend T __hmul_rn(const T &a, const T &b) { return a * b; }
    friend T __hfma(const T &a, const T &b, const T &c) {
        return T(round_to_odd(fused_to_odd(a.wide(), b.wide(), c.wide())));
    }
    friend T __hadd_sat(const T &a, const T &b) { return saturated(a + b); }
    friend T __hsub_sat(const T &a, const T &b) { return saturated(a - b); }
    friend T __hmul_sat(const T &a, const T &b) { return saturated(a * b); }
    friend T __hfma_sat(const T &a, const T &b, const T &c) { return saturated(__hfma(a, b, c)); }
    friend T __hfma_relu(const T &a, const T &b, const T &c) { return __hmax(__hfma(a, b, c), T(0.0f)); }
    friend T __hneg(const T &a) { return T::from_bits(a.pattern() ^ 0x8000u); }
    friend T __habs(const T &a) { return T::from_bits(a.pattern() & 0x7fffu); }
    friend T __hmin(const T &a, const T &b) { return T(fminf(a.wide(), b.wide())); }
    friend T __hmax(const T &a, const T &b) { return T(fmaxf(a.wide(), b.wide())); }

    // The plain comparisons are false where one is a NaN; those that end in u are true there.
    friend bool __heq(const T &a, const T &b) { return a.wide() == b.wide(); }
    friend bool __hne(const T &a, const T &b) { return a.wide() < b.wide() || a.wide() > b.wide(); }
    friend bool __hlt(const T &a, const T &b) { return a.wide() < b.wide(); }
    friend bool __hle(const T &a, const T &b) { return a.wide() <= b.wide(); }
    friend bool __hgt(const T &a, const T &b) { return a.wide() > b.wide(); }
    friend bool __hge(const T &a, const T &b) { return a.wide() >= b.wide(); }
    friend bool __hequ(const T &a, const T &b) { return !__hne(a, b); }
    friend bool __hneu(const T &a, const T &b) { return !__heq(a, b); }
    friend bool __hltu(const T &a, const T &b) { return !__hge(a, b); }
    friend bool __hleu(const T &a, const T &b) { return !__hgt(a, b); }
    friend bool __hgtu(const T &a, const T &b) { return !__hle(a, b); }
    friend bool __hgeu(const T &a, const T &b) { return !__hlt(a, b); }
    friend bool __hisnan(const T &a) { return a.wide() != a.wide(); }
    friend int __hisinf(const T &a) { return isinf(a.wide()) ? (a.wide() < 0.0f ? -1 : 1) : 0; }

    friend T hsqrt(const T &a) { return T(sqrtf(a.wide())); }
    friend T hrsqrt(const T &a) { return T(1.0f / sqrtf(a.wide())); }
    friend T hrcp(const T &a) { return T(1.0f / a.wide()); }
    friend T hexp(const T &a) { return T(expf(a.wide())); }
    friend T hexp2(const T &a) { return T(exp2f(a.wide())); }
    friend T hlog(const T &a) { return T(logf(a.wide())); }
    friend T hlog2(const T &a) { return T(log2f(a.wide())); }
    friend T hsin(const T &a) { return T(sinf(a.wide())); }
    friend T hcos(const T &a) { return T(cosf(a.wide())); }
    friend T htanh(const T &a) { return T(tanhf(a.wide())); }
    friend T hfloor(const T &a) { return T(floorf(a.wide())); }
    friend T hceil(const T &a) { return T(ceilf(a.wide())); }
    friend T htrunc(const T &a) { return T(truncf(a.wide())); }
    friend T hrint(const T &a) { return T(rintf(a.wide())); }

    friend T atomicAdd(T *address, const T &value) {
        return atomic_update(address, [value](T old) { return old + value; });
    }

private:
    static T saturated(const T &a) { return a.wide() > 0.0f ? (a.wide() < 1.0f ? a : T(1.0f)) : T(0.0f); }
};

}  // namespace sim

// A type of that name. Numbers convert to it and back without a cast, as in the toolkit; where that leaves two meanings
// of an expression, such as a half times a float, it does not compile there either.
#define SIM_SMALL_FLOAT(NAME, FORMAT)                                                              \
    struct __attribute__((aligned(2))) NAME : sim::SmallFloat<NAME> {                              \
        NAME() = default;                                                                          \
        NAME(float x) : bits_(sim::FORMAT::narrow(x)) {}                                           \
        NAME(double x) : bits_(sim::FORMAT::narrow(sim::round_to_odd(x))) {}                       \
        template <class T, class = std::enable_if_t<std::is_integral_v<T>>>                        \
        NAME(T x) : NAME(static_cast<double>(x)) {}                                                \
        static NAME from_bits(unsigned pattern) {                                                  \
            NAME made;                                                                             \
            made.bits_ = static_cast<uint16_t>(pattern);                                           \
            return made;                                                                           \
        }                                                                                          \
        float wide() const { return sim::FORMAT::widen(bits_); }                                   \
        uint16_t pattern() const { return bits_; }                                                 \
        operator float() const { return wide(); }                                                  \
        operator bool() const { return (bits_ & 0x7fffu) != 0; }                                   \
        SIM_TO(char) SIM_TO(signed char) SIM_TO(unsigned char) SIM_TO(short) SIM_TO(unsigned short) \
        SIM_TO(int) SIM_TO(unsigned) SIM_TO(long) SIM_TO(unsigned long)                            \
        SIM_TO(long long) SIM_TO(unsigned long long)                                               \
                                                                                                   \
    private:                                                                                       \
        uint16_t bits_;                                                                            \
    }
#define SIM_TO(T) \
    operator T() const { return static_cast<T>(wide()); }
