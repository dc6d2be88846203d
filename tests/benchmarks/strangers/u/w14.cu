#include <lab.h>

#define ROWS_PER_THREAD 2
#define AT(r, c, n) r * n + c

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS_PER_THREAD;

	if (col < N) {
		for (int i = 0; i < ROWS_PER_THREAD; i++) {
			if (row + i < N) {
				float sum = 0.0f;
				for (int k = 0; k < N; k++)
					sum += A[AT(row + i, k, N)] * B[AT(k, col, N)];
				C[AT(row + i, col, N)] = sum;
			}
		}
	}
}

LAUNCH(.block = {32, 8}, .tile = {32, 16});
