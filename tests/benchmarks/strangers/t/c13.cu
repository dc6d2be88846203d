#include <lab.h>

// SUBROUTINE MATPRD, CUDA version.  BLOCKIDX%X counts bands of IB rows, BLOCKIDX%Y bands of JB columns.
#define IB 8
#define JB 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float BAND[IB][JB];          // IB rows of A, JB columns at a time

    const int IT = threadIdx.x / JB;
    const int JT = threadIdx.x % JB;
    const int I  = blockIdx.x * IB + IT;
    const int J  = blockIdx.y * JB + JT;
    float SUM = 0.0f;

    for (int KB = 0; KB < N; KB += JB)
    {
        if (I < N && KB + JT < N)
            BAND[IT][JT] = A[I * N + KB + JT];
        __syncthreads();

        if (I < N && J < N)
        {
            const int KE = KB + JB < N ? JB : N - KB;
            for (int K = 0; K < KE; K++)
                SUM = SUM + BAND[IT][K] * B[(KB + K) * N + J];
        }
        __syncthreads();
    }

    if (I < N && J < N)
        C[I * N + J] = SUM;
}

LAUNCH(.block = {IB * JB}, .tile = {JB, IB}, .grid_x = ROWS);
