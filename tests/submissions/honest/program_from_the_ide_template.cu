// expect: ok
// Grown out of the template of an IDE: a helper function with goto, declarations first, and a status for each call.

#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#include <stdio.h>

cudaError_t multiplyWithCuda(float *c, const float *a, const float *b, unsigned int size);

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.y + blockIdx.y * blockDim.y;
    int j = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && j < n)
    {
        c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

int main()
{
    const int arraySize = 5;
    const float a[arraySize * arraySize] = { 1, 2, 3, 4, 5 };
    const float b[arraySize * arraySize] = { 10, 20, 30, 40, 50 };
    float c[arraySize * arraySize] = { 0 };

    cudaError_t cudaStatus = multiplyWithCuda(c, a, b, arraySize);
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "multiplyWithCuda failed!");
        return 1;
    }
    printf("{%f,%f}\n", c[0], c[1]);
    cudaStatus = cudaDeviceReset();
    return cudaStatus != cudaSuccess;
}

cudaError_t multiplyWithCuda(float *c, const float *a, const float *b, unsigned int size)
{
    float *dev_a = 0;
    float *dev_b = 0;
    float *dev_c = 0;
    cudaError_t cudaStatus;

    cudaStatus = cudaSetDevice(0);
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "cudaSetDevice failed!  Do you have a CUDA-capable GPU installed?");
        goto Error;
    }
    cudaStatus = cudaMalloc((void**)&dev_c, size * size * sizeof(float));
    if (cudaStatus != cudaSuccess)
        goto Error;
    matmul<<<1, dim3(size, size)>>>(dev_a, dev_b, dev_c, size);
    cudaStatus = cudaGetLastError();
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "matmul launch failed: %s\n", cudaGetErrorString(cudaStatus));
        goto Error;
    }
    cudaStatus = cudaMemcpy(c, dev_c, size * size * sizeof(float), cudaMemcpyDeviceToHost);

Error:
    cudaFree(dev_c);
    cudaFree(dev_a);
    cudaFree(dev_b);
    return cudaStatus;
}
