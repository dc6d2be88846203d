#include <lab.h>

// Practica 5. Los bloques se declaran fuera del kernel para no repetirlos.
constexpr int T = 16;

__shared__ float trozoA[T][T];
__device__ float trozoB[T][T];

__device__ void cargar(const float *A, const float *B, int N, int fila, int col, int base)
{
    const int x = threadIdx.x, y = threadIdx.y;
    trozoA[y][x] = (fila < N && base + x < N) ? A[fila * N + base + x] : 0.0f;
    trozoB[y][x] = (base + y < N && col < N) ? B[(base + y) * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int fila = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;
    float suma = 0.0f;

    for (int base = 0; base < N; base += T) {
        cargar(A, B, N, fila, col, base);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            suma += trozoA[threadIdx.y][k] * trozoB[k][threadIdx.x];
        __syncthreads();
    }
    if (fila < N && col < N)
        C[fila * N + col] = suma;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
