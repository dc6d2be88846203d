#include <lab.h>

#define D 32

// 8 rows of threads; results go through shared memory so that the stores are nice
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[D][D + 1], Bs[D][D + 1], Cs[D][D + 1];
    int tx = threadIdx.x, ty = threadIdx.y * 4;   // this thread: rows ty..ty+3
    int col = blockIdx.x * D + tx;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};

    for (int base = 0; base < N; base += D) {
        for (int i = 0; i < 4; i++) {
            int row = blockIdx.y * D + ty + i;
            int kb = base + ty + i;
            As[ty + i][tx] = (row < N && base + tx < N) ? A[row * N + base + tx] : 0.f;
            Bs[ty + i][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < D; k++)
            for (int i = 0; i < 4; i++)
                acc[i] += As[ty + i][k] * Bs[k][tx];
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        Cs[tx][ty + i] = acc[i];
    __syncthreads();

    for (int e = threadIdx.y * D + tx; e < D * D; e += D * 8) {
        int y = e / D, x = e % D;
        if (blockIdx.y * D + y < N && blockIdx.x * D + x < N)
            C[(blockIdx.y * D + y) * N + blockIdx.x * D + x] = Cs[y][x];
    }
}

LAUNCH(.block = {D, 8}, .tile = {D, D});
