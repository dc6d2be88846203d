#include <lab.h>

struct MatView {
    const float *data;
    int n;
    __device__ MatView(const float *d, int size) : data(d), n(size) {}
    __device__ float operator()(int i, int j) const { return data[i * n + j]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    MatView a(A, N), b(B, N);
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < N && j < N) {
        float val = 0.0f;
        for (int q = 0; q <= N; ++q)
            val += a(i, q) * b(q, j);
        C[i * N + j] = val;
    }
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
