#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * 32 + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.y;

    if (r < N && c < N) {
        float *pA = A + r * N;
        const float *pB = B + c;
        float *pC = C + r * N + c;

        *pC = 0.0f;
        float t = 0.0f;
        for (int n = N; n > 0; --n, pB += N)
            t += *pA++ * *pB;
        *pC = t;
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
