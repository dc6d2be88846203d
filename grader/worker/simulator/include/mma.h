// nvcuda::wmma, the warp-wide matrix functions of tensor cores (CUDA C++ Programming Guide, "Warp Matrix Functions").
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sim/fragment_memory.h"
#include "sim/fragment_product.h"

// To the nearest number with 10 fraction bits, ties away from zero, as PTX cvt.rna.tf32.f32 does.
inline float __float_to_tf32(float x) {
    uint32_t pattern = sim::bits<uint32_t>(x);
    bool special = (pattern & 0x7f800000u) == 0x7f800000u;
    return special ? x : sim::bits<float>((pattern + 0x1000u) & 0xffffe000u);
}

namespace nvcuda {
namespace wmma {

using ::__float_to_tf32;

template <int m, int n, int k, class Use, class T>
void fill_fragment(sim::FragmentOf<m, n, k, Use, T> &fragment, const typename sim::Stored<T>::type &value) {
    for (auto &x : fragment.x) x = value;
}

template <class Use, int m, int n, int k, class T, class Layout>
__forceinline__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &fragment,
                                      const typename sim::Stored<T>::type *source, unsigned leading,
                                      int line = __builtin_LINE()) {
    sim::load_fragment(fragment, source, leading, std::is_same_v<Layout, col_major>, line);
}

template <int m, int n, int k, class T>
__forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &fragment,
                                      const typename sim::Stored<T>::type *source, unsigned leading, layout_t layout,
                                      int line = __builtin_LINE()) {
    sim::load_fragment(fragment, source, leading, layout == mem_col_major, line);
}

template <int m, int n, int k, class T>
__forceinline__ void store_matrix_sync(typename sim::Stored<T>::type *target,
                                       const fragment<accumulator, m, n, k, T> &fragment, unsigned leading,
                                       layout_t layout, int line = __builtin_LINE()) {
    sim::store_fragment(target, fragment, leading, layout == mem_col_major, line);
}

// D = A * B + C
template <int m, int n, int k, class TD, class T, class LayoutA, class LayoutB, class TC>
void mma_sync(fragment<accumulator, m, n, k, TD> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
              const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, TC> &c,
              int line = __builtin_LINE()) {
    using Product = sim::Product<fragment<accumulator, m, n, k, TD>, fragment<matrix_a, m, n, k, T, LayoutA>,
                                 fragment<matrix_b, m, n, k, T, LayoutB>, fragment<accumulator, m, n, k, TC>>;
    Product mine{&d, &a, &b, &c};
    sim::whole_warp(Product::compute, &mine, line);
}

}  // namespace wmma
}  // namespace nvcuda
