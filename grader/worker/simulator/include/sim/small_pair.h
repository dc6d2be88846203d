// Two 16-bit floating-point numbers side by side, as half2 and __nv_bfloat162 are: every operation on both.
#pragma once

#include "small_float.h"

namespace sim {

template <class P, class T>
struct SmallPair {
    friend P operator+(const P &a, const P &b) { return P(a.x + b.x, a.y + b.y); }
    friend P operator-(const P &a, const P &b) { return P(a.x - b.x, a.y - b.y); }
    friend P operator*(const P &a, const P &b) { return P(a.x * b.x, a.y * b.y); }
    friend P operator/(const P &a, const P &b) { return P(a.x / b.x, a.y / b.y); }
    friend P operator-(const P &a) { return P(-a.x, -a.y); }
    friend P &operator+=(P &a, const P &b) { return a = a + b; }
    friend P &operator-=(P &a, const P &b) { return a = a - b; }
    friend P &operator*=(P &a, const P &b) { return a = a * b; }
    friend P &operator/=(P &a, const P &b) { return a = a / b; }
    friend bool operator==(const P &a, const P &b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(const P &a, const P &b) { return a.x != b.x && a.y != b.y; }

    friend P __hadd2(const P &a, const P &b) { return a + b; }
    friend P __hsub2(const P &a, const P &b) { return a - b; }
    friend P __hmul2(const P &a, const P &b) { return a * b; }
    friend P __h2div(const P &a, const P &b) { return a / b; }
    friend P __hadd2_rn(const P &a, const P &b) { return a + b; }
    friend P __hsub2_rn(const P &a, const P &b) { return a - b; }
    friend P __hmul2_rn(const P &a, const P &b) { return a * b; }
    friend P __hfma2(const P &a, const P &b, const P &c) { return P(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
    friend P __hneg2(const P &a) { return -a; }
    friend P __habs2(const P &a) { return P(__habs(a.x), __habs(a.y)); }
    friend P __hmin2(const P &a, const P &b) { return P(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
    friend P __hmax2(const P &a, const P &b) { return P(__hmax(a.x, b.x), __hmax(a.y, b.y)); }

    friend P __heq2(const P &a, const P &b) { return P(one_if(a.x == b.x), one_if(a.y == b.y)); }
    friend P __hne2(const P &a, const P &b) { return P(one_if(__hne(a.x, b.x)), one_if(__hne(a.y, b.y))); }
    friend P __hlt2(const P &a, const P &b) { return P(one_if(a.x < b.x), one_if(a.y < b.y)); }
    friend P __hle2(const P &a, const P &b) { return P(one_if(a.x <= b.x), one_if(a.y <= b.y)); }
    friend P __hgt2(const P &a, const P &b) { return P(one_if(a.x > b.x), one_if(a.y > b.y)); }
    friend P __hge2(const P &a, const P &b) { return P(one_if(a.x >= b.x), one_if(a.y >= b.y)); }
    friend bool __hbeq2(const P &a, const P &b) { return a == b; }
    friend bool __hbne2(const P &a, const P &b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
    friend bool __hblt2(const P &a, const P &b) { return a.x < b.x && a.y < b.y; }
    friend bool __hble2(const P &a, const P &b) { return a.x <= b.x && a.y <= b.y; }
    friend bool __hbgt2(const P &a, const P &b) { return a.x > b.x && a.y > b.y; }
    friend bool __hbge2(const P &a, const P &b) { return a.x >= b.x && a.y >= b.y; }
    friend P __hisnan2(const P &a) { return P(one_if(__hisnan(a.x)), one_if(__hisnan(a.y))); }

    friend float __low2float(const P &a) { return a.x.wide(); }
    friend float __high2float(const P &a) { return a.y.wide(); }
    friend P __lowhigh2highlow(const P &a) { return P(a.y, a.x); }
    friend P __lows2half2(const P &a, const P &b) { return P(a.x, b.x); }
    friend P __highs2half2(const P &a, const P &b) { return P(a.y, b.y); }

    friend P h2sqrt(const P &a) { return P(hsqrt(a.x), hsqrt(a.y)); }
    friend P h2rcp(const P &a) { return P(hrcp(a.x), hrcp(a.y)); }
    friend P h2exp(const P &a) { return P(hexp(a.x), hexp(a.y)); }
    friend P h2log(const P &a) { return P(hlog(a.x), hlog(a.y)); }

    // Each of the two is added in one step, but not both in the same one: so says the programming guide.
    friend P atomicAdd(P *address, const P &value) {
        return P(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
    }

private:
    static T one_if(bool condition) { return T(condition ? 1.0f : 0.0f); }
};

}  // namespace sim

// clang checks an address where a reference is bound to it, so copying has to be a function there; see vector_types.h.
#ifdef __clang__
#define SIM_COPIED_PAIR(NAME)                               \
    constexpr NAME(const NAME &v) : x(v.x), y(v.y) {}       \
    constexpr NAME &operator=(const NAME &v) { x = v.x, y = v.y; return *this; }
#else
#define SIM_COPIED_PAIR(NAME)
#endif

#define SIM_SMALL_PAIR(NAME, T)                                                 \
    struct __attribute__((aligned(4))) NAME : sim::SmallPair<NAME, T> {         \
        NAME() = default;                                                       \
        constexpr NAME(const T &low, const T &high) : x(low), y(high) {}        \
        SIM_COPIED_PAIR(NAME)                                                   \
        T x, y;                                                                 \
    }
