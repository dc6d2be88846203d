// expect: wrong-answer; says: only host code, which does not run here
// A factor in constant memory has no initialiser: main sets it, and main does not run here.
__constant__ float scale;

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0;
        for (int k = 0; k < N; ++k)
            sum += scale * A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

int main()
{
    const float one = 1;
    cudaMemcpyToSymbol(scale, &one, sizeof one);
    matmul<<<1, dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0);
}
