#include <lab.h>

/* more threads = more parallel, everything else comes from blockDim */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int gx = blockIdx.x * blockDim.x + threadIdx.x;
    const int gy = blockIdx.y * blockDim.y + threadIdx.y;

    if (gx < N && gy < N)
    {
        const float *pa = A + gy * N;
        const float *pb = B + gx;
        float dotp = 0.0f;
        for (int k = N; k > 0; --k, ++pa, pb += N)
            dotp += *pa * *pb;
        C[gy * N + gx] = dotp;
    }
}

LAUNCH(.block = {32, 64});
