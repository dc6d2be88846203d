#include <lab.h>

#define T 16
#define NT 64

// a block of 64 threads fills a T x T tile
__device__ void fill(float *tile, const float *M, int N, int r0, int c0)
{
    for (int e = threadIdx.x; e <= T * T; e += NT) {
        const int r = r0 + e / T;
        const int c = c0 + e % T;
        tile[e] = r < N && c < N ? M[r * N + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float b[T * T];
    __shared__ float a[T * T];
    const int c = threadIdx.x % T;
    const int r = threadIdx.x / T;       // and r + 4, r + 8, r + 12
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += T) {
        fill(a, A, N, blockIdx.y * T, k0);
        fill(b, B, N, k0, blockIdx.x * T);
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            const float bk = b[k * T + c];
            s[0] += a[(r + 0) * T + k] * bk;
            s[1] += a[(r + 4) * T + k] * bk;
            s[2] += a[(r + 8) * T + k] * bk;
            s[3] += a[(r + 12) * T + k] * bk;
        }
        __syncthreads();
    }

    const int gc = blockIdx.x * T + c;
    for (int i = 0; i < 4; ++i) {
        const int gr = blockIdx.y * T + r + 4 * i;
        if (gr < N && gc < N)
            C[gr * N + gc] = s[i];
    }
}

LAUNCH(.block = {NT}, .tile = {T, T});
