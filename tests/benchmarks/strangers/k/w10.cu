#include <lab.h>

#define TS 32
#define WPT 8
#define RTS (TS / WPT)

// More work per thread: WPT elements of a column
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[TS][TS];
    __shared__ float Bsub[TS][TS];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int gcol = TS * blockIdx.x + tx;
    const int grow = TS * blockIdx.y + ty;

    float res[WPT];

    const int numTiles = (N + TS - 1) / TS;
    for (int t = 0; t < numTiles; t++) {
        for (int w = 0; w < WPT; w++) {
            const int ac = TS * t + tx;
            const int ar = grow + w * RTS;
            const int br = TS * t + ty + w * RTS;
            Asub[ty + w * RTS][tx] = (ar < N && ac < N) ? A[ar * N + ac] : 0.0f;
            Bsub[ty + w * RTS][tx] = (br < N && gcol < N) ? B[br * N + gcol] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TS; k++)
            for (int w = 0; w < WPT; w++)
                res[w] += Asub[ty + w * RTS][k] * Bsub[k][tx];
        __syncthreads();
    }

    for (int w = 0; w < WPT; w++)
        if (grow + w * RTS < N && gcol < N)
            C[(grow + w * RTS) * N + gcol] = res[w];
}

LAUNCH(.block = {TS, RTS}, .tile = {TS, TS});
