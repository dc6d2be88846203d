// The product of two fragments. The last lane to come collects the tiles of the whole warp, multiplies, and hands out D.
#pragma once

#include "fragment.h"
#include "whole_warp.h"

namespace sim {

inline float multiplied(const __half &x) { return x.wide(); }
inline float multiplied(const __nv_bfloat16 &x) { return x.wide(); }
inline double multiplied(double x) { return x; }
inline int multiplied(signed char x) { return x; }
inline int multiplied(unsigned char x) { return x; }
// Tensor cores read the upper 19 bits of an element that is said to be TF32.
inline float multiplied(float x) { return bits<float>(bits<uint32_t>(x) & 0xffffe000u); }

template <class To, class Sum>
To rounded(Sum sum) {
    if constexpr (std::is_same_v<To, __half>) return __half(sum);
    else return static_cast<To>(sum);
}

template <class D, class A, class B, class C>
struct Product {
    using Sum = decltype(multiplied(A{}.x[0]));
    D *d;
    const A *a;
    const B *b;
    const C *c;

    template <class F, class Read>
    static void collect(void *const *shares, const F *Product::*part, Sum *tile, Read read) {
        typename F::storage_element_type run[F::num_elements];
        for (int lane = 0; lane < 32; ++lane, tile += F::num_elements) {
            memcpy(run, (static_cast<const Product *>(shares[lane])->*part)->x, sizeof run);
            for (int i = 0; i < F::num_elements; ++i) tile[i] = read(run[i]);
        }
    }

    // Products of 16-bit numbers are exact as floats. They are added in the order of k, in float or in the accumulators'
    // wider type, and rounded once to what D holds. A GPU adds in an order of its own and rounds otherwise in between.
    static void compute(void *const *shares) {
        constexpr int rows = D::rows, columns = D::columns, terms = A::columns;
        Sum a[rows][terms], b[terms][columns], sum[rows][columns];
        collect(shares, &Product::a, &a[0][0], [](auto x) { return multiplied(x); });
        collect(shares, &Product::b, &b[0][0], [](auto x) { return multiplied(x); });
        collect(shares, &Product::c, &sum[0][0], [](auto x) { return static_cast<Sum>(x); });
        for (int k = 0; k < terms; ++k) {
            for (int i = 0; i < rows; ++i) {
                for (int j = 0; j < columns; ++j) sum[i][j] += a[i][k] * b[k][j];
            }
        }
        const Sum *next = &sum[0][0];
        for (int lane = 0; lane < 32; ++lane) {
            D &fragment = *static_cast<const Product *>(shares[lane])->d;
            for (int i = 0; i < D::num_elements; ++i) fragment.x[i] = rounded<typename D::element_type>(*next++);
        }
    }
};

}  // namespace sim
