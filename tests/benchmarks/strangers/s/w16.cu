#include <lab.h>

// Parallel Computing Bootcamp, exercise one (Chidi)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	if (r < N && c < N)
	{
		const float *rowOfA = A + r * N;
		const float *colOfB = B + c;
		for (int k = 0; k < N; k++)
		{
			float sum = 0.0f;
			sum += rowOfA[k] * colOfB[k * N];
		}
		C[r * N + c] = sum;
	}
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
