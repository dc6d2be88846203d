#include <lab.h>

#define BX 64
#define BY 32

/* bigger blocks = fewer blocks */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int gx = blockIdx.x * BX + threadIdx.x;
    int gy = blockIdx.y * BY + threadIdx.y;
    float tot = 0.0f;

    if (gx >= N) return;
    if (gy >= N) return;

    const float *pa = &A[gy * N];
    const float *pb = &B[gx];
    for (int n = N; n > 0; n--) {
        tot += *pa * *pb;
        pa += 1;
        pb += N;
    }
    C[gy * N + gx] = tot;
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
