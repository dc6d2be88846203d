#include <lab.h>

#define PX 16
#define PY 8
#define PZ 4

// Threads in z share the sum; the parts meet in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float teil[PZ][PY][PX];

    const unsigned kol = blockIdx.x * PX + threadIdx.x;
    const unsigned rij = blockIdx.y * PY + threadIdx.y;
    const unsigned n = N;
    float som = 0.0f;

    if (rij < n && kol < n)
        for (unsigned k = threadIdx.z; k < n; k += PZ)
            som += A[rij * n + k] * B[k * n + kol];

    teil[threadIdx.z][threadIdx.y][threadIdx.x] = som;

    for (unsigned half = PZ / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.z < half)
            teil[threadIdx.z][threadIdx.y][threadIdx.x] += teil[threadIdx.z + half][threadIdx.y][threadIdx.x];
    }

    if (threadIdx.z == 0 && rij < n && kol < n)
        C[rij * n + kol] = teil[0][threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {PX, PY, PZ}, .tile = {PX, PY});
