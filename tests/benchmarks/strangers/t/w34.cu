#include <lab.h>

struct Matrix {
    int    width;
    float* elements;
    __device__ float get(int r, int c) const { return elements[r * width + c]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Matrix a = { N, A };
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        float cval = 0.0f;
        for (int e = 0; e < a.width; ++e)
            cval += a.get(row, e) * B[e * N + col];
        C[row * N + col] = cval;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
