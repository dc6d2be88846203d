#include <lab.h>

struct Matrix {
    const float *data;
    int n;
    __device__ float operator()(int r, int c) const { return data[r * n + c]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Matrix a{A, N}, b{B, N};
    int r = blockIdx.x * blockDim.y + threadIdx.y;
    int c = blockIdx.y * blockDim.x + threadIdx.x;

    if (r < N && c < N) {
        double sum = 0.0;
        for (int k = N; k > 0; --k)
            sum += a(r, k) * b(k, c);
        C[r * N + c] = (float)sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16}, .grid_x = ROWS);
