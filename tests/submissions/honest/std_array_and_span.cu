// expect: ok
// Arrays, spans, tuples and index sequences of libcu++.
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/utility>
#include <cuda/std/tuple>
#include <lab.h>
constexpr int W = 4;
template <size_t... I> __device__ float dot(cuda::std::span<const float> a, cuda::std::array<float, W> b,
                                            cuda::std::index_sequence<I...>)
{
    return ((a[I] * b[I]) + ...);
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    cuda::std::span<const float> line(A + row * N, N);
    float s = 0;
    int k = 0;
    for (; k + W <= N; k += W) {
        cuda::std::array<float, W> b;
        for (int i = 0; i < W; ++i)
            b[i] = B[(k + i) * N + col];
        s += dot(line.subspan(k, W), b, cuda::std::make_index_sequence<W>{});
    }
    for (; k < N; ++k)
        s += line[k] * B[k * N + col];
    auto t = cuda::std::make_tuple(row, col);
    C[cuda::std::get<0>(t) * N + cuda::std::get<1>(t)] = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
