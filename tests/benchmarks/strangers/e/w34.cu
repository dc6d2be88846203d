#include <lab.h>

#define TW 32   // columns of a tile
#define TH 8    // rows of a tile

struct Job { int row, col; };

__device__ Job jobOf(int t, int tilesX, int tilesY)
{
    Job j;
    j.row = t / tilesY * TH + threadIdx.y;
    j.col = t % tilesX * TW + threadIdx.x;
    return j;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tilesX = (N + TW - 1) / TW;
    int tilesY = (N + TH - 1) / TH;

    for (int t = blockIdx.x + gridDim.x * blockIdx.y; t < tilesX * tilesY; t += gridDim.x * gridDim.y) {
        Job j = jobOf(t, tilesX, tilesY);
        if (j.row < N && j.col < N) {
            float s = 0.0f;
            for (int k = 0; k < N; k++)
                s += A[j.row * N + k] * B[k * N + j.col];
            C[j.row * N + j.col] = s;
        }
    }
}

LAUNCH(.block = {TW, TH}, .tile = {4 * TW, 8 * TH});
