#include <lab.h>

// Dubbelbuffring: hamta nasta ruta medan vi raknar pa den forra.
constexpr int R = 16;

__device__ inline float hamta(const float *m, int rad, int kol, int n)
{
    return rad < n && kol < n ? m[rad * n + kol] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ra[2][R][R], rb[2][R][R];
    const int x = threadIdx.x, y = threadIdx.y;
    const int rad = blockIdx.y * R + y;
    const int kol = blockIdx.x * R + x;
    const int antal = (N + R - 1) / R;

    ra[0][y][x] = hamta(A, rad, x, N);
    rb[0][y][x] = hamta(B, y, kol, N);
    __syncthreads();

    float s = 0.0f;
    int nu = 0;
    for (int t = 0; t < antal - 1; ++t) {
        const int nasta = 1 - nu;
        if (t + 1 < antal) {
            ra[nasta][y][x] = hamta(A, rad, (t + 1) * R + x, N);
            rb[nasta][y][x] = hamta(B, (t + 1) * R + y, kol, N);
        }
        for (int k = 0; k < R; ++k)
            s += ra[nu][y][k] * rb[nu][k][x];
        __syncthreads();
        nu = nasta;
    }

    if (rad < N && kol < N)
        C[rad * N + kol] = s;
}

LAUNCH(.block = {R, R}, .tile = {R, R});
