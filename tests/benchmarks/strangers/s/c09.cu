#include <lab.h>

// Paralel programlama odevi 6: k ekseni z boyunca bolunur, paylasilan toplama atomik
#define EN 16
#define BOY 16
#define KAT 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float toplam[BOY * EN];
    __shared__ float a[KAT][BOY][EN + 1], b[KAT][BOY][EN];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int satir = blockIdx.y * BOY + y;
    const int sutun = blockIdx.x * EN + x;

    for (int i = (z * BOY + y) * EN + x; i < BOY * EN; i += KAT * BOY * EN)
        toplam[i] = 0.0f;

    float kismi = 0.0f;
    const int tur = (N + KAT * EN - 1) / (KAT * EN);   // her kat icin ayni
    for (int t = 0; t < tur; t++) {
        const int k0 = (t * KAT + z) * EN;
        a[z][y][x] = (satir < N && k0 + x < N) ? A[satir * N + k0 + x] : 0.0f;
        b[z][y][x] = (k0 + y < N && sutun < N) ? B[(k0 + y) * N + sutun] : 0.0f;
        __syncthreads();
        for (int k = 0; k < EN; k++)
            kismi += a[z][y][k] * b[z][k][x];
        __syncthreads();
    }

    atomicAdd(&toplam[y * EN + x], kismi);
    __syncthreads();

    if (z == 0 && satir < N && sutun < N)
        C[satir * N + sutun] = toplam[y * EN + x];
}

LAUNCH(.block = {EN, BOY, KAT}, .tile = {EN, BOY});
