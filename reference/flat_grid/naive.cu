// Naive: the number of a thread in the grid is that of its element of C, row by row.
//
// 2*K FLOP for 2*K loads: 0.25 FLOP per byte requested.
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= M * N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[at / N * K + k] * B[k * N + at % N];
    C[at] = sum;
}
