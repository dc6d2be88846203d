#include <lab.h>
#define FULL 0xffffffffu
// one warp computes one element, blockDim = (32, 8): 8 warps = 8 consecutive columns of one row

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	const int lane = threadIdx.x;
	const int col  = blockIdx.x * 8 + threadIdx.y;
	const int row  = blockIdx.y;

	float part = 0;
	if (col < N)
		for (int k = lane; k < N; k += 32)
			part = fmaf(A[row * N + k], B[k * N + col], part);

	part += __shfl_down_sync(FULL, part, 16);
	part += __shfl_down_sync(FULL, part, 8);
	part += __shfl_down_sync(FULL, part, 4);
	part += __shfl_down_sync(FULL, part, 2);
	part += __shfl_down_sync(FULL, part, 1);

	if (lane == 0 && col < N)
		C[row * N + col] = part;
}
LAUNCH(.block = {32, 8}, .tile = {8, 1});
