// Naive: the number of a thread in the grid is that of its element of C, row by row.
//
// 2*N FLOP for 2*N loads: 0.25 FLOP per byte requested.
__global__ void matmul_kernel(const float *A, const float *B, float *C, size_t n)
{
    const size_t at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n * n)
        return;

    float sum = 0.0f;
    for (size_t k = 0; k < n; ++k)
        sum += A[at / n * n + k] * B[k * n + at % n];
    C[at] = sum;
}
