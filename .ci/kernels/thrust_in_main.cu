// expect: ok
// The program's own main holds the matrices in vectors of Thrust; the kernel adds up with its functors.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    thrust::plus<float> plus;
    thrust::multiplies<float> times;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum = plus(sum, times(A[row * N + k], B[k * N + col]));
    C[row * N + col] = sum;
}

int main()
{
    const int N = 64;
    thrust::host_vector<float> ones(N * N, 1.0f);
    thrust::device_vector<float> A = ones, B = ones, C(N * N);
    matmul<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A.data().get(), B.data().get(), C.data().get(), N);
    thrust::host_vector<float> product = C;
    return product[0] == N ? 0 : 1;
}
