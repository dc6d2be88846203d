#include <lab.h>
#define TS 16

// shared memory version
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    __shared__ float subA[TS][TS];
    __shared__ float subB[TS][TS];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int globalRow = TS * blockIdx.y + y;
    const int globalCol = TS * blockIdx.x + x;
    float acc = 0.0f;
    const int numTiles = (N + TS - 1) / TS;
    for (int t = 0; t < numTiles; t++) {
        const int tiledCol = TS * t + x;
        const int tiledRow = TS * t + y;
        subA[y][x] = globalRow < N && tiledCol < N ? A[globalRow * N + tiledCol] : 0.0f;
        subB[y][x] = tiledRow < N && globalCol < N ? B[tiledRow * N + globalCol] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++) {
            acc += subA[y][k] * subB[k][x];
        }
        __synchthreads();
    }
    if (globalRow < N && globalCol < N) {
        C[globalRow * N + globalCol] = acc;
    }
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
