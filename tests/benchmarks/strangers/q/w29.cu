#include <lab.h>

typedef float4 vec4;

// 4 columns per thread with 128-bit loads, scalar code for what is left at the right border
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = (blockIdx.x * 32 + threadIdx.x) * 4;
    int y = blockIdx.y * 8 + threadIdx.y;
    if (y >= N)
        return;

    bool vec = x + 3 < N;
    if (vec) {
        vec4 s = {0.f, 0.f, 0.f, 0.f};
        for (int k = 0; k < N; ++k) {
            const float a = A[y * N + k];
            const vec4 b = *(const vec4 *)&B[k * N + x];
            s.x = fmaf(a, b.x, s.x);
            s.y = fmaf(a, b.y, s.y);
            s.z = fmaf(a, b.z, s.z);
            s.w = fmaf(a, b.w, s.w);
        }
        *(vec4 *)&C[y * N + x] = s;
    } else {
        for (int c = x; c < x + 4 && c < N; ++c) {
            float s = 0.f;
            for (int k = 0; k < N; ++k)
                s = fmaf(A[y * N + k], B[k * N + c], s);
            C[y * N + c] = s;
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {128, 8});
