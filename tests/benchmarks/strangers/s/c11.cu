#include <lab.h>

// Dubbelbuffring, tredje forsoket: en barriar per ruta, pekare i stallet for index.
constexpr int R = 16;
constexpr int YTA = R * R;

struct Ruta { float v[YTA]; };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Ruta buffert[4];
    Ruta *a = &buffert[0], *aNasta = &buffert[1];
    Ruta *b = &buffert[2], *bNasta = &buffert[3];

    const int x = threadIdx.x, y = threadIdx.y, jag = y * R + x;
    const int rad = blockIdx.y * R + y, kol = blockIdx.x * R + x;

    auto fyll = [&](Ruta *ra, Ruta *rb, int k0) {
        ra->v[jag] = rad < N && k0 + x < N ? A[rad * N + k0 + x] : 0.0f;
        rb->v[jag] = k0 + y < N && kol < N ? B[(k0 + y) * N + kol] : 0.0f;
    };

    fyll(a, b, 0);
    __syncthreads();

    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += R) {
        if (k0 + R < N)
            fyll(aNasta, bNasta, k0 + R);

        for (int k = 0; k < R; ++k)
            s += a->v[y * R + k] * b->v[k * R + x];
        __syncthreads();

        Ruta *tmp = a; a = aNasta; aNasta = tmp;
        tmp = b; b = bNasta; bNasta = tmp;
    }

    if (rad < N && kol < N)
        C[rad * N + kol] = s;
}

LAUNCH(.block = {R, R}, .tile = {R, R});
