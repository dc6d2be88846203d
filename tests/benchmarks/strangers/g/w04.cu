#include <lab.h>

template <typename Real, int DIM>
struct Shared {
    Real a[DIM * DIM];
    Real b[DIM * DIM];
};

#define DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Shared<float, DIM> sh;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int id = ty * DIM + tx;
    const int row = blockIdx.y * DIM + ty;
    const int col = blockIdx.x * DIM + tx;
    const int last = (N - 1) / DIM;

    float regA, regB;   // the tiles that come next
    float sum = 0.0f;

    for (int t = 0; t <= last; ++t) {
        sh.a[id] = regA;
        sh.b[id] = regB;
        __syncthreads();

        if (t < last) {
            const int ka = (t + 1) * DIM + tx;
            const int kb = (t + 1) * DIM + ty;
            regA = row < N && ka < N ? A[row * N + ka] : 0.0f;
            regB = col < N && kb < N ? B[kb * N + col] : 0.0f;
        }

        for (int k = 0; k < DIM; ++k)
            sum += sh.a[ty * DIM + k] * sh.b[k * DIM + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
