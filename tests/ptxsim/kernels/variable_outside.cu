__device__ int weights[4];
__device__ int other[1];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    weights[N * N] = other[0];
}
