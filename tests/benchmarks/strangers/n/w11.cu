#include <lab.h>

#define S 32
// Transposed tile of A without padding: exclusive-or against bank conflicts.
#define SWZ_WRITE(k, m) ((m) ^ (k))
#define SWZ_READ(k, m)  ((m) ^ ((k) & 15))

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float At[S][S];   // [k][m]
    __shared__ float Bs[S][S];   // [k][n]
    const int x = threadIdx.x, y = threadIdx.y;      // 32 x 8
    const int col = blockIdx.x * S + x;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += S) {
        for (int i = 0; i < 4; ++i) {
            const int m = y + 8 * i;
            const int row = blockIdx.y * S + m;
            At[x][SWZ_WRITE(x, m)] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.f;
            Bs[m][x] = (k0 + m < N && col < N) ? B[(k0 + m) * N + col] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < S; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += At[k][SWZ_READ(k, y + 8 * i)] * Bs[k][x];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        const int row = blockIdx.y * S + y + 8 * i;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {S, 8}, .tile = {S, S});
