#include <lab.h>

// small helper type so that I do not have to write the index every time
struct View {
    const float *p;
    int ld;          // row length of the whole matrix
    int rows, cols;  // what is left from here to the edge

    __device__ float get(int r, int c) const
    {
        return (r < rows && c < cols) ? p[r * ld + c] : 0.0f;
    }
    __device__ View from(int r0, int c0) const
    {
        return View{p + r0 + c0, ld, rows - r0, cols - c0};
    }
};

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    View a{A, N, N, N}, b{B, N, N, N};
    int i0 = blockIdx.y * T, j0 = blockIdx.x * T;
    int ty = threadIdx.y, tx = threadIdx.x;
    float s = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        View ta = a.from(i0, k0);
        View tb = b.from(k0, j0);
        sa[ty][tx] = ta.get(ty, tx);
        sb[ty][tx] = tb.get(ty, tx);
        __syncthreads();
        for (int k = 0; k < T; ++k) s += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    if (i0 + ty < N && j0 + tx < N) C[(i0 + ty) * N + j0 + tx] = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
