// Naive: one thread computes one element of C, for matrices of any type.
//
// 2*N FLOP for 2*N loads: 0.25 FLOP per byte requested with float.
template <typename T>
__global__ void matmul_kernel(const T *A, const T *B, T *C, unsigned int n)
{
    const unsigned int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;

    T sum = 0;
    for (unsigned int k = 0; k < n; ++k)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
