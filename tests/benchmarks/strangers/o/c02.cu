#include <lab.h>
#include <cstdio>
#include <cstdlib>

#define KACHEL 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float kachelA[KACHEL][KACHEL];
    __shared__ float kachelB[KACHEL][KACHEL];

    const int x = threadIdx.x, y = threadIdx.y;
    const int spalte = blockIdx.x * KACHEL + x;
    const int zeile  = blockIdx.y * KACHEL + y;
    const int anzahl = (N + KACHEL - 1) / KACHEL;

    float summe = 0.0f;
    for (int n = 0; n < anzahl; ++n)
    {
        const int k = n * KACHEL;
        kachelA[y][x] = (zeile < N && k + x < N) ? A[zeile * N + k + x] : 0.0f;
        kachelB[y][x] = (spalte < N && k + y < N) ? B[(k + y) * N + spalte] : 0.0f;
        __syncthreads();

        for (int i = 0; i < KACHEL; ++i)
            summe += kachelA[y][i] * kachelB[i][x];
        __syncthreads();
    }

    if (zeile < N && spalte < N)
        C[zeile * N + spalte] = summe;
}

// mein eigener Test, nvcc -o test matmul.cu && ./test 100
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    size_t bytes = (size_t)n * n * sizeof(float);
    float *a, *b, *c;
    cudaMallocManaged(&a, bytes);
    cudaMallocManaged(&b, bytes);
    cudaMallocManaged(&c, bytes);
    for (int i = 0; i < n * n; ++i) { a[i] = 1.0f; b[i] = 2.0f; }
    dim3 threads(KACHEL, KACHEL), grid((n + KACHEL - 1) / KACHEL, (n + KACHEL - 1) / KACHEL);
    matmul<<<grid, threads>>>(a, b, c, n);
    cudaDeviceSynchronize();
    printf("%g (soll %g)\n", c[0], 2.0 * n);
    return 0;
}

LAUNCH(.block = {KACHEL, KACHEL}, .tile = {KACHEL, KACHEL});
