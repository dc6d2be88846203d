// expect: wrong-answer; says: compare the row and column of every store
// The offset of a row is kept in 16 bits, so that rows from index 65536 on are read and stored at the start of the matrices.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    unsigned short start = row * N;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[start + k] * B[k * N + col];
    C[start + col] = sum;
}
