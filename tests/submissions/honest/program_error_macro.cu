// expect: ok
// The error check that half of all programs copy, and a kernel of another name, which is the only one.
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

__global__ void matrixMulKernel(const float *__restrict__ M, const float *__restrict__ N, float *P, int Width)
{
    const unsigned Row = blockIdx.y * blockDim.y + threadIdx.y, Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row >= Width || Col >= Width)
        return;
    float Pvalue = 0;
    for (int k = 0; k < Width; ++k)
        Pvalue = fmaf(M[Row * Width + k], N[k * Width + Col], Pvalue);
    P[Row * Width + Col] = Pvalue;
}

void matrixMul(const float *M, const float *N, float *P, int Width)
{
    float *Md, *Nd, *Pd;
    int size = Width * Width * sizeof(float);
    gpuErrchk(cudaMalloc((void **)&Md, size));
    gpuErrchk(cudaMemcpy(Md, M, size, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMalloc((void **)&Nd, size));
    gpuErrchk(cudaMemcpy(Nd, N, size, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMalloc((void **)&Pd, size));
    matrixMulKernel<<<dim3((Width + 15) / 16, (Width + 15) / 16), dim3(16, 16)>>>(Md, Nd, Pd, Width);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(P, Pd, size, cudaMemcpyDeviceToHost));
    cudaFree(Md); cudaFree(Nd); cudaFree(Pd);
}
