// The part of a tile that one lane holds. CUDA leaves open which elements those are, and so a kernel may only treat all of
// them alike. Here the tile is cut, row after row, into 32 runs of equal length, one for each lane.
#pragma once

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

}  // namespace wmma
}  // namespace nvcuda

namespace sim {

namespace wmma = nvcuda::wmma;

// How elements are kept in a fragment, which is also how they lie in memory.
template <class T>
struct Stored { using type = T; };
template <>
struct Stored<wmma::precision::tf32> { using type = float; };

template <class Use, int m, int n, int k>
struct Extent;
template <int m, int n, int k>
struct Extent<wmma::matrix_a, m, n, k> { static constexpr int rows = m, columns = k; };
template <int m, int n, int k>
struct Extent<wmma::matrix_b, m, n, k> { static constexpr int rows = k, columns = n; };
template <int m, int n, int k>
struct Extent<wmma::accumulator, m, n, k> { static constexpr int rows = m, columns = n; };

// CUDA C++ Programming Guide, "Element Types and Matrix Sizes".
template <class T>
constexpr bool is_shape(int m, int n, int k) {
    if (std::is_same_v<T, wmma::precision::tf32>) return m == 16 && n == 16 && k == 8;
    if (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
    return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}
template <class T>
constexpr bool is_factor = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> ||
    std::is_same_v<T, wmma::precision::tf32> || std::is_same_v<T, double> || std::is_same_v<T, signed char> ||
    std::is_same_v<T, unsigned char>;
template <class T>
constexpr bool is_sum = std::is_same_v<T, __half> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, int>;
// An accumulator of floats goes with halves and with TF32, so its own type leaves two shapes.
template <class T>
constexpr bool is_sum_shape(int m, int n, int k) {
    return is_shape<T>(m, n, k) || (std::is_same_v<T, float> && is_shape<wmma::precision::tf32>(m, n, k));
}

template <int m, int n, int k, class Use, class T>
struct FragmentOf {
    using element_type = T;
    using storage_element_type = typename Stored<T>::type;
    static constexpr int rows = Extent<Use, m, n, k>::rows, columns = Extent<Use, m, n, k>::columns;
    enum { num_elements = rows * columns / 32, num_storage_elements = num_elements };

    // A fragment that was never filled shows, where its type has a NaN to show it.
    FragmentOf() {
        if constexpr (!std::is_integral_v<storage_element_type>) {
            for (auto &element : x) element = static_cast<storage_element_type>(__builtin_nanf(""));
        }
    }

    storage_element_type x[num_elements];
};

}  // namespace sim

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment : sim::FragmentOf<m, n, k, Use, T> {
    static_assert(!std::is_same_v<Use, accumulator>, "an accumulator takes its layout when it is loaded or stored");
    static_assert(sim::is_factor<T>, "tensor cores do not multiply elements of this type");
    static_assert(sim::is_shape<T>(m, n, k), "tensor cores have no such shape for this type");
    static_assert(std::is_same_v<Layout, row_major> || std::is_same_v<Layout, col_major>,
                  "matrix_a and matrix_b need row_major or col_major");
};

template <int m, int n, int k, class T>
struct fragment<accumulator, m, n, k, T, void> : sim::FragmentOf<m, n, k, accumulator, T> {
    static_assert(sim::is_sum<T>, "tensor cores do not add up in this type");
    static_assert(sim::is_sum_shape<T>(m, n, k), "tensor cores have no such shape for this type");
};

}  // namespace wmma
}  // namespace nvcuda
