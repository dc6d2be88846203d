extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float sum = 0.0f;
    for (int repeat = 0; repeat < 300; ++repeat)
        for (int k = 0; k < N; ++k)
            sum = sum * 0.5f + A[k];
    C[(blockIdx.y * N + blockIdx.x) % (N * N)] = sum;
}
