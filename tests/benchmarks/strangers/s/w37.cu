#include <lab.h>

// Tva buffertar, en enda barriar per steg.
constexpr int R = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ra[2][R][R];
    __shared__ float rb[2][R][R];

    const int x = threadIdx.x, y = threadIdx.y;
    const int rad = blockIdx.y * R + y, kol = blockIdx.x * R + x;
    const int antal = (N + R - 1) / R;

    float s = 0.0f;
    for (int t = 0; t < antal; ++t) {
        const int buf = t / 2 % 2;
        const int ka = t * R + x;
        const int kb = t * R + y;

        ra[buf][y][x] = rad < N && ka < N ? A[rad * N + ka] : 0.0f;
        rb[buf][y][x] = kb < N && kol < N ? B[kb * N + kol] : 0.0f;
        __syncthreads();

        for (int k = 0; k < R; ++k)
            s = fmaf(ra[buf][y][k], rb[buf][k][x], s);
    }

    if (rad < N && kol < N)
        C[rad * N + kol] = s;
}

LAUNCH(.block = {R, R}, .tile = {R, R});
