#include <lab.h>
// Askisi 5: 4 grammes x 4 stiles ana nima, me stride loop mesa sto plakidio
#define NX 8
#define NY 8
#define PLAKIDIO 32

__device__ float2 zeygari(const float *M, int grammi, int stili, int n)
{
    float2 z = {0.0f, 0.0f};
    if (grammi < n) {
        if (stili < n)      z.x = M[grammi * n + stili];
        if (stili + 16 < n) z.y = M[grammi * n + stili + 16];
    }
    return z;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int y0 = blockIdx.y * PLAKIDIO;
    const int x0 = blockIdx.x * PLAKIDIO;

    for (int y = y0 + threadIdx.y; y < min(y0 + PLAKIDIO, N); y += NY)
        for (int x = x0 + threadIdx.x; x < x0 + 16 && x < N; x += NX)
        {
            float2 apot = make_float2(0.0f, 0.0f);
            for (int k = 0; k < N; ++k)
            {
                const float a = A[y * N + k];
                const float2 b = zeygari(B, k, x, N);
                apot.x += a * b.x;
                apot.y += a * b.y;
            }
            C[y * N + x] = apot.x;
            if (x + 16 < N)
                C[y * N + x + 16] = apot.y;
        }
}

LAUNCH(.block = {NX, NY}, .tile = {PLAKIDIO, PLAKIDIO});
