#include <lab.h>

// 4 columns per thread, float4 when all rows start at a multiple of 16 bytes
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = (blockIdx.x * 32 + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    const float *a = A + (size_t)row * N;
    float4 s = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    if ((N & 3) == 0) {
        for (int k = 0; k < N; k++) {
            const float x = a[k];
            const float4 b = *reinterpret_cast<const float4 *>(B + (size_t)k * N + col);
            s.x += x * b.x;
            s.y += x * b.y;
            s.z += x * b.z;
            s.w += x * b.w;
        }
        *reinterpret_cast<float4 *>(C + (size_t)row * N + col) = s;
    } else {
        const int left = min(4, N - col);
        float *c = C + (size_t)row * N + col;
        for (int j = 0; j < left; j++) {
            float t = 0.0f;
            for (int k = 0; k < N; k++) t += a[k] * B[(size_t)k * N + col + j];
            c[j] = t;
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {128, 8});
