// expect: ok
// Its first parameter is another type where member arrays are compared with their bounds; the kernel itself is correct.
#include <lab.h>

#define T 16
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

struct Tiles {
    float a[T][T], b[T][T];
};
struct Large {
    const float *first;
    long long more[9];
};
template <bool IS_COMPARED>
struct Parameter {
    using Type = const float *;
};
template <>
struct Parameter<true> {
    using Type = Large;
};

__device__ Tiles unused;
__device__ constexpr bool is_compared()
{
    return sizeof(TEXT_OF(unused.a[0])) > 12;
}
__device__ const float *first(const float *matrix)
{
    return matrix;
}
__device__ const float *first(Large matrix)
{
    return matrix.first;
}

extern "C" __global__ void matmul(Parameter<is_compared()>::Type A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += T) {
        tiles.a[y][x] = row < N && k0 + x < N ? first(A)[row * N + k0 + x] : 0;
        tiles.b[y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += tiles.a[y][k] * tiles.b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
