#include <lab.h>
#define T 32
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[T][T + 1], sB[T][T + 1];
    const int i = blockIdx.y * T + threadIdx.y;
    const int j = blockIdx.x * T + threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < N; t += T) {
        sA[threadIdx.y][threadIdx.x] = (i < N && t + threadIdx.x < N) ? A[i * N + t + threadIdx.x] : 0.f;
        sB[threadIdx.y][threadIdx.x] = (j < N && t + threadIdx.y < N) ? B[(t + threadIdx.y) * N + j] : 0.f;
        for (int k = 0; k < T; k++)
            sum += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = sum;
}
LAUNCH(.block = {T, T});
