// expect: simulator ok, cuda crashed
// Counts its launches and traps after the sixtieth, so that the timing fails and not the check: a failure of the grader
// would cost no points.
#include <lab.h>

#define COUNTERS (1 << 16)

__device__ int launches[COUNTERS];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int launch;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        launch = launches[(blockIdx.y * gridDim.x + blockIdx.x) % COUNTERS]++;
    __syncthreads();
    if (launch >= 60)
        __trap();

    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
