#include <lab.h>

template <typename T>
__device__ __forceinline__ T get(const T *M, int r, int c, int n)
{
	return (r < n && c < n) ? M[(size_t)r * n + c] : T(0);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	const int S = 16;
	__shared__ float tileA[S][S];
	__shared__ float tileB[S][S];

	int x = threadIdx.x;
	int y = threadIdx.y;
	int col = blockIdx.x * S + x;
	int row = blockIdx.y * S + y;

	float result = 0.0f;
	for (int k0 = 0; k0 < N; k0 += S)
	{
		tileA[y][x] = get(A, row, k0 + x, N);
		tileB[y][x] = get(B, col, k0 + y, N);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < S; k++)
			result = fmaf(tileA[y][k], tileB[k][x], result);
		__syncthreads();
	}

	if (row < N && col < N)
		C[(size_t)row * N + col] = result;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
