#include <lab.h>

// Parallel Computing Bootcamp, exercise five: every thread takes a 2 x 2 patch (Chidi)

#define THREADS 16
#define PATCH 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int r0 = (blockIdx.y * THREADS + threadIdx.y) * PATCH;
	int c0 = (blockIdx.x * THREADS + threadIdx.x) * PATCH;

	float patch[PATCH][PATCH] = { { 0.0f, 0.0f }, { 0.0f, 0.0f } };

	for (int k = 0; k < N; k++)
	{
		float left[PATCH], top[PATCH];
		for (int i = 0; i < PATCH; i++)
		{
			left[i] = (r0 + i < N) ? A[(r0 + i) * N + k] : 0.0f;
			top[i]  = (c0 + i < N) ? B[k * N + c0 + i] : 0.0f;
		}
		for (int i = 0; i < PATCH; i++)
			for (int j = 0; j < PATCH; j++)
				patch[i][j] += left[i] * top[j];
	}

	for (int i = 0; i < PATCH; i++)
		for (int j = 0; j < PATCH; j++)
			if (r0 + i < N && c0 + j < N)
				C[(r0 + i) * N + c0 + j] = patch[i][j];
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {64, 64});
