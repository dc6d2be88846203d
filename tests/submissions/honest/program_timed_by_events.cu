// expect: ok
// A main that times its kernel with events and prints GFLOPS, in plain C.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

int main(void)
{
    int N = 1024;
    size_t size = N * N * sizeof(float);
    float *h_A = (float *)malloc(size), *d_A, *d_B, *d_C, milliseconds = 0;
    srand((unsigned)time(NULL));
    for (int i = 0; i < N * N; i++)
        h_A[i] = rand() / (float)RAND_MAX;
    cudaMalloc(&d_A, size);
    cudaMalloc(&d_B, size);
    cudaMalloc(&d_C, size);
    cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_B, h_A, size, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    dim3 block(16, 16), grid((N + 15) / 16, (N + 15) / 16);
    matmul<<<grid, block>>>(d_A, d_B, d_C, N);
    cudaEventRecord(start);
    for (int i = 0; i < 10; i++)
        matmul<<<grid, block>>>(d_A, d_B, d_C, N);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
    printf("%.3f ms, %.1f GFLOPS\n", milliseconds / 10, 2.0 * N * N * N * 10 / milliseconds / 1e6);
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    free(h_A);
    return 0;
}
