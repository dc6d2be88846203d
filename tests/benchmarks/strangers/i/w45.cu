#include <lab.h>

// 4 columns per thread, float4 loads for B and a float4 store for C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    if (row >= N)
        return;

    if (col + 3 < N) {
        float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float4 b = *(const float4 *)(B + k * N + col);
            sum.x += a * b.x;
            sum.y += a * b.y;
            sum.z += a * b.z;
            sum.w += a * b.w;
        }
        *(float4 *)(C + row * N + col) = sum;
    } else {
        // fewer than 4 columns left
        for (int j = col; j < N && j < col + 4; j++) {
            float s = 0.0f;
            for (int k = 0; k < N; k++)
                s += A[row * N + k] * B[k * N + j];
            C[row * N + j] = s;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
