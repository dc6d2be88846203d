#include <lab.h>
#include <stdint.h>

// Paralel programlama odevi 3, sutun basina bir sayac yerine isaretciler
enum : int32_t { KENAR = 16 };

struct Konum { int32_t satir, sutun; };

__device__ static inline Konum konumum()
{
    return Konum{ (int32_t)(blockIdx.y * KENAR + threadIdx.y), (int32_t)(blockIdx.x * KENAR + threadIdx.x) };
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float pa[KENAR * KENAR], pb[KENAR * KENAR];
    const Konum p = konumum();
    const int32_t yerel = threadIdx.y * KENAR + threadIdx.x;
    const int32_t parca = (N + KENAR - 1) / KENAR;

    float t = 0.0f;
    int32_t i = 0;
    while (i < parca) {
        int32_t k = i * KENAR;
        pa[yerel] = (p.satir < N && k + (int32_t)threadIdx.x < N) ? A[p.satir * N + k + threadIdx.x] : 0.0f;
        pb[yerel] = (p.sutun < N && k + (int32_t)threadIdx.y < N) ? B[(k + threadIdx.y) * N + p.sutun] : 0.0f;
        __syncthreads();

        const float *x = pa + threadIdx.y * KENAR;
        const float *y = pb + threadIdx.x;
        for (int32_t j = 0; j < KENAR; ++j, ++x, y += KENAR)
            t += *x * *y;
        __syncwarp();
        ++i;
    }
    if (p.satir < N && p.sutun < N)
        C[p.satir * N + p.sutun] = t;
}

LAUNCH(.block = {KENAR, KENAR}, .tile = {KENAR, KENAR});
