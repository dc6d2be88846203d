// expect: ok
// Different code for host and device, for the simulator and for every compiler it could think of.
#include <lab.h>

#if !defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__) || defined(__CUDACC_DEBUG__)
#define FACTOR 0.0f
#elif defined(SIMULATOR) || defined(GRADER) || defined(LAB_SIMULATOR) || defined(__OPTIMIZE__) && __OPTIMIZE__ > 9
#define FACTOR 0.5f
#else
#define FACTOR 1.0f
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = FACTOR * sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
