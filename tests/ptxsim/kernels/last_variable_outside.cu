__device__ int weights[4];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    weights[N - 29] = 1;
}
