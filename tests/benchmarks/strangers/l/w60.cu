#include <lab.h>

template <class Real, int P>
__device__ inline void multiply(const Real *A, const Real *B, Real *C, const int N)
{
    __shared__ Real a[P][P + 1];
    __shared__ Real b[P][P];
    const int u = threadIdx.x;
    const int v = threadIdx.y;
    const int row = P * blockIdx.y + v;
    const int col = P * blockIdx.x + u;

    // the next elements are already in registers when they are needed
    Real ra = row < N && u < N ? A[row * N + u] : Real(0);
    Real rb = col < N && v < N ? B[v * N + col] : Real(0);
    Real sum(0);

    int k0 = 0;
    do {
        a[v][u] = ra;
        b[v][u] = rb;
        __syncthreads();

        k0 += P;
        ra = row < N && k0 + u < N ? A[row * N + k0 + u] : Real(0);
        rb = col < N && k0 + v < N ? B[(k0 + v) * N + col] : Real(0);
#pragma unroll
        for (int k = 0; k < P; ++k)
            sum += a[v][k] * b[k][u];
    } while (k0 < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<float, 24>(A, B, C, N);
}

LAUNCH(.block = {24, 24}, .tile = {24, 24});
