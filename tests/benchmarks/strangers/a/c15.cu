/*
 * Shared memory is allocated by the launch and cut into two pieces here.
 * Rows are padded by one float.
 */

#include <lab.h>

#define TILE 32
#define ROW (TILE + 1)

extern __shared__ __align__(16) unsigned char raw[];

struct Padded {
    float *p;
    __device__ explicit Padded(unsigned offset) : p(reinterpret_cast<float *>(raw + offset)) {}
    __device__ float &operator()(int y, int x) { return p[y * ROW + x]; }
};

constexpr unsigned TILE_BYTES = TILE * ROW * sizeof(float);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Padded a(0), b(TILE_BYTES);

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        a(x, y) = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;   // transposed
        b(y, x) = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a(k, y) * b(k, x);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE_BYTES);
