// Row by row, a matrix is its transpose column by column. So this computes C' = B' * A' with column-major views.
#include <lab.h>

template <typename Real>
class ColumnMajor
{
    Real *data;
    int ld;

public:
    __device__ ColumnMajor(Real *d, int n) : data(d), ld(n) {}
    __device__ Real &operator()(int r, int c) const { return data[r + c * ld]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const ColumnMajor<const float> bt(B, N), at(A, N);
    const ColumnMajor<float> ct(C, N);

    const int i = blockIdx.y * blockDim.x + threadIdx.x;  // row of C'
    const int j0 = blockIdx.x * 4;                        // first of four columns of C'
    const int columns = min(4, N - j0);
    if (i >= N)
        return;

    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < N; ++k) {
        const float b = bt(i, k);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (j < columns)
                sum[j] += b * at(k, j0 + j);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (j < columns)
            ct(i, j0 + j) = sum[j];
}

LAUNCH(.block = {128}, .tile = {128, 4}, .grid_x = ROWS);
