#include <lab.h>
/* trzecia proba: watki numerowane w jednym wymiarze */
#define BOK 16

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float ka[BOK][BOK];
    __shared__ float kb[BOK][BOK];

    int x = threadIdx.x % BOK;
    int y = threadIdx.x / BOK;
    int wiersz = blockIdx.y * BOK + y;
    int kolumna = blockIdx.x * BOK + x;
    float wynik = 0.0f;

    for (int s = 0; s < N; s += BOK)
    {
        ka[y][x] = wiersz < N && s + x < N ? A[wiersz * N + s + x] : 0.0f;
        kb[y][x] = s + y < N && kolumna < N ? B[(s + y) * N + kolumna] : 0.0f;
        __syncthreads();
        for (int i = 0; i < BOK; i++) wynik += ka[y][i] * kb[i][x];
        __syncthreads();
    }

    if (wiersz < N && kolumna < N) C[wiersz * N + kolumna] = wynik;
}

LAUNCH(.block = {128}, .tile = {BOK, BOK});
