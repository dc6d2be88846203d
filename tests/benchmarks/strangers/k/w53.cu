#include <lab.h>

// Threads start at different k, so that they do not all want the same column of A at once.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < N && y < N) {
        float sum = 0.0f;
        for (int i = 0; i < N; i++) {
            int k = i + threadIdx.x;
            if (k > N) k -= N;
            sum += A[y * N + k] * B[k * N + x];
        }
        C[y * N + x] = sum;
    }
}

LAUNCH(.block = {16, 16});
