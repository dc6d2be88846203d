#include <lab.h>

// Practica 7: doble buffer en registros, un solo juego de bloques en memoria compartida.
constexpr int T = 32;
constexpr int HY = 8;
constexpr int Q = T / HY;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[T][T];
    __shared__ float tb[T][T];

    const int x = threadIdx.x, y = threadIdx.y;
    const int fila0 = blockIdx.y * T;
    const int col = blockIdx.x * T + x;

    float sigA[Q], sigB[Q];
    float suma[Q] = {0.0f};

    for (int q = 0; q < Q; ++q) {
        const int r = y + q * HY;
        sigA[q] = (fila0 + r < N && x < N) ? A[(fila0 + r) * N + x] : 0.0f;
        sigB[q] = (r < N && col < N) ? B[r * N + col] : 0.0f;
    }

    for (int base = 0; base < N; base += T) {
        for (int q = 0; q < Q; ++q) {
            ta[y + q * HY][x] = sigA[q];
            tb[y + q * HY][x] = sigB[q];
        }
        __syncthreads();

        const int sig = base + T;
        if (sig < N) {   // igual para todo el bloque
            for (int q = 0; q < Q; ++q) {
                const int r = y + q * HY;
                sigA[q] = (fila0 + r < N && sig + x < N) ? A[(fila0 + r) * N + sig + x] : 0.0f;
                sigB[q] = (sig + r < N && col < N) ? B[(sig + r) * N + col] : 0.0f;
            }
        }

        for (int k = 0; k < T; ++k)
            for (int q = 0; q < Q; ++q)
                suma[q] += ta[y + q * HY][k] * tb[k][x];
        __syncthreads();
    }

    for (int q = 0; q < Q; ++q) {
        const int fila = fila0 + y + q * HY;
        if (fila < N && col < N)
            C[fila * N + col] = suma[q];
    }
}

LAUNCH(.block = {T, HY}, .tile = {T, T});
