#include <lab.h>

// Four neighbouring columns per thread. float4 only if every row starts at a multiple of 16 bytes.
__device__ bool aligned16(const void *p) { return (reinterpret_cast<unsigned long long>(p) & 15ull) == 0; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N || col >= N) return;

    float r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    if (N % 4 == 0 && aligned16(B) && aligned16(C)) {
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float4 b = *(const float4 *)(B + k * N + col);
            r0 += a * b.x; r1 += a * b.y; r2 += a * b.z; r3 += a * b.w;
        }
        *(float4 *)(C + row * N + col) = make_float4(r0, r1, r2, r3);
    } else {
        int left = N - col;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            const float *b = B + k * N + col;
            r0 += a * b[0];
            if (left > 1) r1 += a * b[1];
            if (left > 2) r2 += a * b[2];
            if (left > 3) r3 += a * b[3];
        }
        float *c = C + row * N + col;
        c[0] = r0;
        if (left > 1) c[1] = r1;
        if (left > 2) c[2] = r2;
        if (left > 3) c[3] = r3;
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
