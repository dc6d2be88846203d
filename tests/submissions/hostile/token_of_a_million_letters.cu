// expect: ok or compile-error
// Pastes a name of a million letters out of twenty macros.
#include <lab.h>

#define PASTE_(x, y) x##y
#define PASTE(x, y) PASTE_(x, y)
#define N0 abcdefgh
#define N1 PASTE(N0, N0)
#define N2 PASTE(N1, N1)
#define N3 PASTE(N2, N2)
#define N4 PASTE(N3, N3)
#define N5 PASTE(N4, N4)
#define N6 PASTE(N5, N5)
#define N7 PASTE(N6, N6)
#define N8 PASTE(N7, N7)
#define N9 PASTE(N8, N8)
#define N10 PASTE(N9, N9)
#define N11 PASTE(N10, N10)
#define N12 PASTE(N11, N11)
#define N13 PASTE(N12, N12)
#define N14 PASTE(N13, N13)
#define N15 PASTE(N14, N14)
#define N16 PASTE(N15, N15)
#define N17 PASTE(N16, N16)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float N17 = 0.0f;
    for (int k = 0; k < N; ++k)
        N17 += A[row * N + k] * B[k * N + col];
    C[row * N + col] = N17;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
