#include <lab.h>

#define Z 8

// kazdy watek z liczy co osmy iloczyn
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float suma[8 * 8];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int z = threadIdx.z;
    int kol = blockIdx.x * 8 + x;
    int wiersz = blockIdx.y * 8 + y;
    bool w = kol < N && wiersz < N;

    if (z == 0)
        suma[y * 8 + x] = 0;
    __syncthreads();

    if (w) {
        float s = 0;
        for (int k = z; k < N; k += Z)
            s += A[wiersz * N + k] * B[k * N + kol];
        suma[y * 8 + x] += s;
    }
    __syncthreads();

    if (w && z == 0)
        C[wiersz * N + kol] = suma[y * 8 + x];
}

LAUNCH(.block = {8, 8, Z}, .tile = {8, 8});
