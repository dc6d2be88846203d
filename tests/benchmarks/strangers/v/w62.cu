#include <lab.h>

#define T 32
#define PITCH (T + 1)   // +1: no bank conflicts when a column is read

extern __shared__ float lds[];

// A is stored transposed in local memory: tileA[k][row]
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = lds;
    float *tileB = lds + T * T;

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int row0 = blockIdx.y * T, col = blockIdx.x * T + lx;
    float2 acc0 = make_float2(0.f, 0.f), acc1 = make_float2(0.f, 0.f);

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int y = ly; y < T; y += 8) {
            tileA[lx * PITCH + y] = (row0 + y < N && k0 + lx < N) ? A[(row0 + y) * N + k0 + lx] : 0.f;
            tileB[y * PITCH + lx] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < T; k++) {
            const float b = tileB[k * PITCH + lx];
            const float *a = &tileA[k * PITCH + 4 * ly];
            acc0.x += a[0] * b;
            acc0.y += a[1] * b;
            acc1.x += a[2] * b;
            acc1.y += a[3] * b;
        }
        __syncthreads();
    }

    const int r = row0 + 4 * ly;
    if (col < N) {
        if (r < N)     C[r * N + col] = acc0.x;
        if (r + 1 < N) C[(r + 1) * N + col] = acc0.y;
        if (r + 2 < N) C[(r + 2) * N + col] = acc1.x;
        if (r + 3 < N) C[(r + 3) * N + col] = acc1.y;
    }
}

LAUNCH(.block = {T, 8}, .tile = {T, T}, .shared = 2 * T * PITCH * sizeof(float));
