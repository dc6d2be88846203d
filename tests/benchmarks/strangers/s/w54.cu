#include <lab.h>

// Practica 6. Cada hilo calcula TM x TN elementos.
constexpr int TM = 8;
constexpr int TN = 4;
constexpr int HX = 16;
constexpr int HY = 8;
constexpr int ALTO  = HY * TM;   // filas por bloque
constexpr int ANCHO = HX * TN;   // columnas por bloque
constexpr int FONDO = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float trozoA[ALTO][FONDO];
    __shared__ float trozoB[FONDO][ANCHO];

    const int hilo = threadIdx.y * HX + threadIdx.x;
    const int fila0 = blockIdx.y * ALTO;
    const int col0 = blockIdx.x * ANCHO;

    float res[TM][TN] = {};
    float regA[TN];
    float regB[TN];

    for (int base = 0; base < N; base += FONDO) {
        for (int e = hilo; e < ALTO * FONDO; e += HX * HY) {
            const int f = e / FONDO, k = e % FONDO;
            trozoA[f][k] = (fila0 + f < N && base + k < N) ? A[(fila0 + f) * N + base + k] : 0.0f;
        }
        for (int e = hilo; e < FONDO * ANCHO; e += HX * HY) {
            const int k = e / ANCHO, c = e % ANCHO;
            trozoB[k][c] = (base + k < N && col0 + c < N) ? B[(base + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < FONDO; ++k) {
            for (int i = 0; i < TM; ++i)
                regA[i] = trozoA[threadIdx.y * TM + i][k];
            for (int j = 0; j < TN; ++j)
                regB[j] = trozoB[k][threadIdx.x + j * HX];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    res[i][j] += regA[i] * regB[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int f = fila0 + threadIdx.y * TM + i;
            const int c = col0 + threadIdx.x + j * HX;
            if (f < N && c < N)
                C[f * N + c] = res[i][j];
        }
}

LAUNCH(.block = {HX, HY}, .tile = {ANCHO, ALTO});
