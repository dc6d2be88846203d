#include <lab.h>

/* flat indexing with a grid-stride loop, like in the NVIDIA blog post */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	const int bid = blockIdx.x * gridDim.x + blockIdx.y;
	const int nth = gridDim.x * gridDim.y * blockDim.x;

	for (int p = bid * blockDim.x + threadIdx.x; p < N * N; p += nth) {
		const float *a = &A[(p / N) * N];
		const float *b = &B[p % N];
		float dot = 0.0f;
		for (int k = 0; k < N; k++, b += N)
			dot += a[k] * *b;
		C[p] = dot;
	}
}

LAUNCH(.block = {256}, .tile = {256, 1});
