#include <lab.h>

// 1 x 4 elements per thread; 16-byte accesses only if the rows allow them
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = (blockIdx.x * 16 + threadIdx.x) * 4;

    if (row >= N || col >= N)
        return;

    float4 s = {0.0f, 0.0f, 0.0f, 0.0f};
    if (N % 4 == 0) {
        // col is a multiple of 4, too, so col + 3 < N
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float4 b = *(const float4 *)(B + k * N + col);
            s.x += a * b.x;
            s.y += a * b.y;
            s.z += a * b.z;
            s.w += a * b.w;
        }
        *(float4 *)(C + row * N + col) = s;
    } else {
        bool c1 = col + 1 < N, c2 = col + 2 < N, c3 = col + 3 < N;
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            const float *b = B + k * N + col;
            s.x += a * b[0];
            if (c1) s.y += a * b[1];
            if (c2) s.z += a * b[2];
            if (c3) s.w += a * b[3];
        }
        float *c = C + row * N + col;
        c[0] = s.x;
        if (c1) c[1] = s.y;
        if (c2) c[2] = s.z;
        if (c3) c[3] = s.w;
    }
}

LAUNCH(.block = {16, 8}, .tile = {64, 8});
