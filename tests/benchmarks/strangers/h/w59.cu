#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	const int idx = blockIdx.x * blockDim.x + threadIdx.x;
	const int idy = blockIdx.y * blockDim.y + threadIdx.y;

	if (idx >= N || idy >= N)
		return;

	float sum = 0.0f;
	for (int k = 0; k <= N; ++k)
		sum += A[idy * N + k] * B[k * N + idx];
	C[idy * N + idx] = sum;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
