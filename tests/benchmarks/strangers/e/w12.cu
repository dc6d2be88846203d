#include <lab.h>

// reads A four at a time when the rows are aligned
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= N || c >= N) return;

    float s = 0.0f;
    if (N % 4 == 0) {
        for (int k = 0; k < N; k += 4) {
            const float4 v = *reinterpret_cast<float4 *>(&A[r * N + k]);
            s += v.x * B[k * N + c];
            s += v.y * B[(k + 1) * N + c];
            s += v.z * B[(k + 2) * N + c];
            s += v.w * B[(k + 3) * N + c];
        }
    } else {
        for (int k = 0; k < N; k++)
            s += A[r * N + k] * B[k * N + c];
    }
    C[r * N + c] = s;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
