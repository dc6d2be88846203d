#include <lab.h>

#define UNROLL 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < N && y < N) {
		const float *a = A + y * N;
		const float *b = B + x;
		float s0 = 0, s1 = 0, s2 = 0, s3 = 0;	// four chains, to hide the latency of the FMA
		int blocks = N / UNROLL;

		for (int q = 0; q < blocks; q++) {
			s0 += a[q * UNROLL + 0] * b[(q * UNROLL + 0) * N];
			s1 += a[q * UNROLL + 1] * b[(q * UNROLL + 1) * N];
			s2 += a[q * UNROLL + 2] * b[(q * UNROLL + 2) * N];
			s3 += a[q * UNROLL + 3] * b[(q * UNROLL + 3) * N];
		}

		// what is left
		int k = blocks;
		while (k < N) {
			s0 += a[k] * b[k * N];
			k++;
		}

		C[y * N + x] = (s0 + s1) + (s2 + s3);
	}
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
