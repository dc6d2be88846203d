// expect: unset-memory; says: before any thread has written it
// A program that launches blocks of 32 x 32 in main, which does not run; nothing tells the grader of their size.
#include <cstdio>
#include <cstdlib>
#define TILE_WIDTH 32

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TILE_WIDTH][TILE_WIDTH], tileB[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float value = 0;
    for (int p = 0; p < (N - 1) / TILE_WIDTH + 1; ++p) {
        tileA[ty][tx] = row < N && p * TILE_WIDTH + tx < N ? A[row * N + p * TILE_WIDTH + tx] : 0;
        tileB[ty][tx] = col < N && p * TILE_WIDTH + ty < N ? B[(p * TILE_WIDTH + ty) * N + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; ++i)
            value += tileA[ty][i] * tileB[i][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = value;
}

int main()
{
    int n = 1024;
    float *A, *B, *C;
    cudaMalloc(&A, n * n * sizeof(float));
    cudaMalloc(&B, n * n * sizeof(float));
    cudaMalloc(&C, n * n * sizeof(float));
    dim3 block(TILE_WIDTH, TILE_WIDTH), grid((n - 1) / TILE_WIDTH + 1, (n - 1) / TILE_WIDTH + 1);
    matmul<<<grid, block>>>(A, B, C, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
