// Like the Matrix struct of the CUDA C++ Programming Guide, with bounds
#include <lab.h>

#define BLOCK_SIZE 16

struct View {
    const float *elements;
    int stride;
    int height, width;   // what is left from here to the edge

    __device__ float get(int r, int c) const
    {
        return r < height && c < width ? elements[r * stride + c] : 0.0f;
    }

    // the BLOCK_SIZE x BLOCK_SIZE sub-matrix in block row i, block column j
    __device__ View sub(int i, int j) const
    {
        View v;
        v.stride = stride;
        v.height = height - i * BLOCK_SIZE;
        v.width = width - j * BLOCK_SIZE;
        v.elements = elements + (i * stride + j) + BLOCK_SIZE;
        return v;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const View a = {A, N, N, N};
    const View b = {B, N, N, N};

    const int r = threadIdx.y, c = threadIdx.x;
    float Cvalue = 0.0f;

    for (int m = 0; m < (N + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        const View Asub = a.sub(blockIdx.y, m);
        const View Bsub = b.sub(m, blockIdx.x);

        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[r][c] = Asub.get(r, c);
        Bs[r][c] = Bsub.get(r, c);
        __syncthreads();

        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[r][e] * Bs[e][c];
        __syncthreads();
    }

    const int row = blockIdx.y * BLOCK_SIZE + r;
    const int col = blockIdx.x * BLOCK_SIZE + c;
    if (row < N && col < N)
        C[row * N + col] = Cvalue;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
