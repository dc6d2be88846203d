// kolko programistyczne, LO nr 3
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int wiersz = threadIdx.y + blockDim.y * blockIdx.y;
    int kolumna = threadIdx.x + blockDim.x * blockIdx.x;
    if (wiersz >= N) return;
    if (kolumna >= N) return;

    float wynik = 0.0f;
    for (int i = 0; i < N; i++)
    {
        float lewa = A[wiersz * N + i]
        float prawa = B[i * N + kolumna];
        wynik += lewa * prawa;
    }
    C[wiersz * N + kolumna] = wynik;
}

LAUNCH(.block = {16, 16});
