// expect: ok
// C++17: structured bindings, if constexpr, fold expressions, and a constexpr function for the tile.
#include <lab.h>
#include <utility>

struct Position {
    int row, col;
};

constexpr int side(int threads)
{
    int result = 1;
    while (result * result < threads)
        ++result;
    return result;
}

constexpr int TILE = side(256);

template <bool CHECKED>
[[nodiscard]] __device__ inline float at(const float *matrix, Position position, [[maybe_unused]] int N)
{
    const auto [row, col] = position;
    if constexpr (CHECKED)
        if (row >= N || col >= N)
            return 0.0f;
    return matrix[row * N + col];
}

template <int... K>
__device__ float dot(const float (&a)[TILE], const float (&b)[TILE][TILE], int col, std::integer_sequence<int, K...>)
{
    return (... + (a[K] * b[K][col]));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const Position mine{static_cast<int>(blockIdx.y) * TILE + ty, static_cast<int>(blockIdx.x) * TILE + tx};

    float sum{};
    for (int first{}; first < N; first += TILE) {
        As[ty][tx] = at<true>(A, {mine.row, first + tx}, N);
        Bs[ty][tx] = at<true>(B, {first + ty, mine.col}, N);
        __syncthreads();
        sum += dot(As[ty], Bs, tx, std::make_integer_sequence<int, TILE>{});
        __syncthreads();
    }
    if (const auto [row, col] = mine; row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
