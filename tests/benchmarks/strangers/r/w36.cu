#include <lab.h>
#define Q 16

// No branches in the loads: indices are clamped, the surplus is masked when k is out of range.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float qa[Q][Q];
    __shared__ float qb[Q][Q];
    const int row = blockIdx.y * Q + threadIdx.y;
    const int col = blockIdx.x * Q + threadIdx.x;
    const int rr = min(row, N);
    const int cc = min(col, N - 1);
    float accu = 0.f;

    for (int s = 0; s < N; s += Q) {
        const int ka = min(s + (int)threadIdx.x, N - 1);
        const int kb = min(s + (int)threadIdx.y, N - 1);
        qa[threadIdx.y][threadIdx.x] = A[rr * N + ka];
        qb[threadIdx.y][threadIdx.x] = B[kb * N + cc];
        __syncthreads();
        for (int k = 0; k < Q && s + k < N; ++k)
            accu += qa[threadIdx.y][k] * qb[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = accu;
}
LAUNCH(.block = {Q, Q}, .tile = {Q, Q});
