#include <lab.h>

// "More work per thread" (kernel 3 of the OpenCL SGEMM tutorial), rewritten for CUDA
#define TS 32
#define WPT 4
#define RTS (TS / WPT)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = threadIdx.y;   // local row, 0..RTS-1
    const int col = threadIdx.x;   // local col, 0..TS-1
    const int globalRow = TS * blockIdx.y + row;
    const int globalCol = TS * blockIdx.x + col;

    __shared__ float Asub[TS][TS];
    __shared__ float Bsub[TS][TS];

    float acc[WPT];
    for (int w = 0; w < WPT; w++)
        acc[w] = 0.0f;

    const int numTiles = (N + TS - 1) / TS;
    for (int t = 0; t < numTiles; t++) {
        for (int w = 0; w < WPT; w++) {
            const int tiledRow = TS * t + row + w * RTS;
            const int tiledCol = TS * t + col;
            const int r = globalRow + w * RTS;
            Asub[row + w * RTS][col] = (r < N && tiledCol < N) ? A[r * N + tiledCol] : 0.0f;
            Bsub[row + w * RTS][col] = (tiledRow < N && globalCol < N) ? B[tiledRow * N + globalCol] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TS; k++)
            for (int w = 0; w < WPT; w++)
                acc[w] += Asub[row + w * RTS][k] * Bsub[k][col];
        __syncthreads();
    }

    for (int w = 0; w < WPT; w++)
        if (globalRow + w * RTS < N && globalCol < N)
            C[(globalRow + w * RTS) * N + globalCol] = acc[w];
}

// every work-item computes WPT rows
LAUNCH(.block = {TS, RTS}, .tile = {TS, TS * WPT});
