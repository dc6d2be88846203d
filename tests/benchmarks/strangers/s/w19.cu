#include <lab.h>
// Askisi 1: aplos pyrinas, ena nima ana stoixeio.

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int grammi = blockIdx.y * blockDim.y + threadIdx.y;
    const int stili  = blockIdx.x * blockDim.x + threadIdx.x;

    if (grammi < N && stili < N)
    {
        float athroisma = 0.0f;
        for (int k = 0; k < N; ++k)
            athroisma = fmaf(A[grammi * N + k], B[k * N + stili], athroisma);
        C[grammi * N + stili] = athroisma;
    }
}

// wide blocks, so that warps read whole lines
LAUNCH(.block = {64, 32}, .tile = {64, 32});
