#include <lab.h>
/* czwarta proba: pasek wiersza A w pamieci wspoldzielonej, ostatni kawalek krotszy */
#define PASEK 64

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float pasek[4][PASEK];
    const int kolumna = blockIdx.x * PASEK + threadIdx.x;
    const int wiersz0 = blockIdx.y * 4;
    float w0 = 0, w1 = 0, w2 = 0, w3 = 0;

    for (int s = 0; s < N; s += PASEK)
    {
        const int dlugosc = N - s < PASEK ? N - s : PASEK;
        for (int r = 0; r < 4; r++)
            if (threadIdx.x < dlugosc)
                pasek[r][threadIdx.x] = wiersz0 + r < N ? A[(wiersz0 + r) * N + s + threadIdx.x] : 0.0f;
        __syncthreads();

        if (kolumna < N)
        {
            for (int i = 0; i < dlugosc; i++)
            {
                const float b = B[(s + i) * N + kolumna];
                w0 += pasek[0][i] * b;
                w1 += pasek[1][i] * b;
                w2 += pasek[2][i] * b;
                w3 += pasek[3][i] * b;
            }
        }
        __syncthreads();
    }

    if (kolumna < N)
    {
        if (wiersz0 + 0 < N) C[(wiersz0 + 0) * N + kolumna] = w0;
        if (wiersz0 + 1 < N) C[(wiersz0 + 1) * N + kolumna] = w1;
        if (wiersz0 + 2 < N) C[(wiersz0 + 2) * N + kolumna] = w2;
        if (wiersz0 + 3 < N) C[(wiersz0 + 3) * N + kolumna] = w3;
    }
}

LAUNCH(.block = {PASEK}, .tile = {PASEK, 4});
