#include <lab.h>

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int tmp = 0;

	if (col < n && row < n)
	{
		for (int i = 0; i < n; i++)
		{
			tmp += a[row * n + i] * b[i * n + col];
		}
		c[row * n + col] = tmp;
	}
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
