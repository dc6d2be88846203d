// expect: compile-error or launch-failed or bad-file
// Places a string where the grader expects the numbers of LAUNCH.
namespace __lab_scope
{
__constant__ __attribute__((used)) char __lab_launch[] = "1 x 1";
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
