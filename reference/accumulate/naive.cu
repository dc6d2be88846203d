// Naive: one thread for each element of C, which adds every term there. Columns are contiguous: x runs along a column.
//
// 2 FLOP for three loads and a store of 8 bytes: 0.06 FLOP per byte requested.
__global__ void square_dgemm(unsigned M, const double *A, const double *B, double *C)
{
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= M)
        return;
    for (unsigned k = 0; k < M; ++k)
        C[col * M + row] += A[k * M + row] * B[col * M + k];
}
