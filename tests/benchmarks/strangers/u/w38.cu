#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int row, col, k;
	float sum;

	row = blockIdx.y * blockDim.y + threadIdx.y;
	col = blockIdx.x * blockDim.x + threadIdx.x;

	/* threads past the edge have nothing to do */
	if (row >= N)
		return;
	if (col >= N)
		return;

	for (k = 0; k < N; k++)
		sum += A[row * N + k] * B[k * N + col];

	C[row * N + col] = sum;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
