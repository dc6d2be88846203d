#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int	c = threadIdx.x + blockIdx.x * blockDim.x,
		r = threadIdx.y + blockIdx.y * blockDim.y,
		k;
	float	sum;

	if (c >= N)
		return;
	if (r >= N)
		return;

	for (k = 0; k < N; k++)
		sum += A[r * N + k] * B[k * N + c];

	C[r * N + c] = sum;
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
