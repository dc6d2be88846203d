#include <lab.h>
const int tileSize = 16;

extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float aTile[tileSize][tileSize], bTile[tileSize][tileSize];

    const int localRow = threadIdx.y, localCol = threadIdx.x;
    const int globalRow = blockIdx.y * tileSize + localRow;
    const int globalCol = blockIdx.x * tileSize + localCol;

    float accum = 0.0f;
    for (int offset = 0; offset < N; offset += tileSize)
    {
        bool inA = globalRow < N && offset + localCol < N;
        bool inB = globalCol < N && offset + localRow < N;
        aTile[localRow][localCol] = inA ? A[globalRow * N + offset + localCol] : 0.0f;
        bTile[localRow][localCol] = inB ? B[(offset + localRow) * N + globalCol] : 0.0f;
        __syncThreads();

        for (int k = 0; k < tileSize; ++k)
            accum += aTile[localRow][k] * bTile[k][localCol];
        __syncthreads();
    }

    if (globalRow < N && globalCol < N)
        C[globalRow * N + globalCol] = accum;
}

LAUNCH(.block = {tileSize, tileSize}, .tile = {tileSize, tileSize});
