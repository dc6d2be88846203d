// Naive: one thread for each element, which adds to what C has there. Columns are contiguous, so x runs along a column.
//
// 2 FLOP for two loads of 8 bytes: 0.125 FLOP per byte requested.
__global__ void gemm(const double *A, const double *B, double *C, double alpha, double beta, int M, int N, int K)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N)
        return;
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
        sum += A[k * M + row] * B[col * K + k];
    C[col * M + row] = alpha * sum + beta * C[col * M + row];
}
