#include <lab.h>
#define S 32

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[S * S], tb[S * S];
    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * S + y;
    int j = blockIdx.x * S + x;

    const float *pa = a + (size_t)i * n + x;
    const float *pb = b + (size_t)y * n + j;
    float s = 0.0f;
    int done = 0;

    while (done < n) {
        float va = 0.0f, vb = 0.0f;
        if (i < n && done + x < n) va = *pa;
        if (j < n && done + y < n) vb = *pb;
        ta[y * S + x] = va;
        tb[y * S + x] = vb;
        __syncthreads();

        for (int k = 0; k < S; k++)
            s += ta[y * S + k] * tb[k * S + x];

        done += S;
        pa += S;
        pb += (size_t)S * n;
    }

    if (i < n && j < n)
        c[i * n + j] = s;
}

LAUNCH(.block = {S, S});
