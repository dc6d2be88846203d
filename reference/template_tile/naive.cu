// Naive: one thread computes one element of C. The rows of A follow from the grid, so their number is no parameter.
//
// 2*K FLOP for 2*K loads: 0.25 FLOP per byte requested.
template <int SIDE>
__global__ void MatrixMul(float *C, const float *A, const float *B, int wA, int wB)
{
    const int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;

    float sum = 0.0f;
    for (int k = 0; k < wA; ++k)
        sum += A[row * wA + k] * B[k * wB + col];
    C[row * wB + col] = sum;
}
