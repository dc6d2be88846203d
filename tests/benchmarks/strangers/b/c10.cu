#include <lab.h>

constexpr int TX = 32, TY = 16, TK = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TY][TK];
    __shared__ float sB[TK][TX];
    const int tid = threadIdx.y * TX + threadIdx.x;  // 512 threads
    const int row = blockIdx.y * TY + threadIdx.y;
    const int col = blockIdx.x * TX + threadIdx.x;
    const int last = N - 1;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TK) {
        if (tid < TY * TK) {
            const int y = min(int(blockIdx.y * TY + tid / TK), last);
            const int k = min(k0 + tid % TK, last);
            sA[tid / TK][tid % TK] = A[y * N + k];
        }
        sB[threadIdx.y][threadIdx.x] = B[min(k0 + int(threadIdx.y), last) * N + min(col, last)];
        __syncthreads();

        const int end = N - k0 < TK ? N - k0 : TK;
        for (int k = 0; k < end; ++k)
            sum += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    if (row <= last && col <= last)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
