// expect: ok
// Indented with tabs, everything of the loop in one very long line, and no line break at the end of the file.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= N || col >= N)
		return;
	float sum = 0.0f;
	int k = 0;
	for (; k + 16 <= N; k += 16) { sum += A[row * N + k + 0] * B[(k + 0) * N + col]; sum += A[row * N + k + 1] * B[(k + 1) * N + col]; sum += A[row * N + k + 2] * B[(k + 2) * N + col]; sum += A[row * N + k + 3] * B[(k + 3) * N + col]; sum += A[row * N + k + 4] * B[(k + 4) * N + col]; sum += A[row * N + k + 5] * B[(k + 5) * N + col]; sum += A[row * N + k + 6] * B[(k + 6) * N + col]; sum += A[row * N + k + 7] * B[(k + 7) * N + col]; sum += A[row * N + k + 8] * B[(k + 8) * N + col]; sum += A[row * N + k + 9] * B[(k + 9) * N + col]; sum += A[row * N + k + 10] * B[(k + 10) * N + col]; sum += A[row * N + k + 11] * B[(k + 11) * N + col]; sum += A[row * N + k + 12] * B[(k + 12) * N + col]; sum += A[row * N + k + 13] * B[(k + 13) * N + col]; sum += A[row * N + k + 14] * B[(k + 14) * N + col]; sum += A[row * N + k + 15] * B[(k + 15) * N + col]; }   
	for (; k < N; ++k)
		sum += A[row * N + k] * B[k * N + col];
	C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});