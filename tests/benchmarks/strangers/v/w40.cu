#include <lab.h>

#define DIM 32
#define WORK 4
#define LY (DIM / WORK)
// XOR swizzle instead of padding: element (r, c) of a tile is kept in column SWZ(r, c)
#define SWZ(r, c) ((c) ^ ((r) & 7))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[DIM][DIM];
    __shared__ float tB[DIM][DIM];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * DIM + ty;
    int col = blockIdx.x * DIM + tx;
    float acc[WORK];
    for (int w = 0; w < WORK; w++) acc[w] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DIM) {
        for (int w = 0; w < WORK; w++) {
            int r = ty + w * LY;
            int gr = row + w * LY;
            tA[r][SWZ(r, tx)] = (gr < N && k0 + tx < N) ? A[gr * N + k0 + tx] : 0.0f;
            tB[r][SWZ(r, tx)] = (k0 + r < N && col < N) ? B[(k0 + r) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DIM; k++) {
            float b = tB[k][SWZ(tx, k)];
            for (int w = 0; w < WORK; w++) {
                int r = ty + w * LY;
                acc[w] += tA[r][SWZ(r, k)] * b;
            }
        }
        __syncthreads();
    }

    for (int w = 0; w < WORK; w++)
        if (row + w * LY < N && col < N)
            C[(row + w * LY) * N + col] = acc[w];
}

LAUNCH(.block = {DIM, LY}, .tile = {DIM, DIM});
