#include <lab.h>

#define X 16
#define Y 16

// z = 0 takes the first half of k, z = 1 the second half
extern "C" __global__ void matmul(const float *A,
                                  const float *B,
                                  float *C,
                                  int N)
{
        int x = blockIdx.x * X + threadIdx.x;
        int y = blockIdx.y * Y + threadIdx.y;
        int half = N / 2;
        int from = threadIdx.z ? half : 0;
        int to = threadIdx.z ? N : half;

        if (threadIdx.z == 0 && x < N && y < N)
                C[y * N + x] = 0.0f;
        __syncthreads();

        if (x < N && y < N) {
                float h = 0.0f;
                for (int k = from; k < to; k++)
                        h += A[y * N + k] * B[k * N + x];
                C[y * N + x] += h;
        }
}

LAUNCH(.block = {X, Y, 2}, .tile = {X, Y});
