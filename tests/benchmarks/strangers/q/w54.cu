#include <lab.h>

// rows first: blocks next to each other in the grid share the same columns of B (cache!)
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
	int m = blockIdx.x * 4 + threadIdx.y;
	int n = blockIdx.y * 64 + threadIdx.x;

	if (m >= N || n >= N) { return; }

	float dot = 0.0f;
	for (int k = 0; k < N; k++) { dot += A[m * N + k] * B[k * N + n]; }
	C[m * N + n] = dot;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
