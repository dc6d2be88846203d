#include <lab.h>

constexpr int D = 32;

struct View {
    float *data;
    __device__ float &at(int r, int c) { return data[r * (D + 1) + c]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float arena[];
    View a{arena};
    View b{arena + D * (D + 1)};

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * D + ty;
    int col = blockIdx.x * D + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        a.at(ty, tx) = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        b.at(ty, tx) = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < D; ++k)
            sum += a.at(ty, k) * b.at(k, tx);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {D, D}, .tile = {D, D}, .shared = 2 * D * (D + 1));
