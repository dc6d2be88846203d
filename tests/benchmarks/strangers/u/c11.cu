#include <lab.h>

#define WIDTH 32
#define HEIGHT 16
#define DEPTH 24

extern __shared__ float store[];

/* A: HEIGHT x DEPTH at the start of the dynamic memory, B: DEPTH x WIDTH behind it */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	float *sA = store;
	float *sB = store + HEIGHT * DEPTH;
	int lin = threadIdx.y * WIDTH + threadIdx.x;
	int row = blockIdx.y * HEIGHT + threadIdx.y;
	int col = blockIdx.x * WIDTH + threadIdx.x;
	float acc = 0.0f;

	for (int base = 0; base < N; base += DEPTH) {
		int depth = min(DEPTH, N - base);
		for (int e = lin; e < HEIGHT * DEPTH; e += WIDTH * HEIGHT) {
			int r = blockIdx.y * HEIGHT + e / DEPTH;
			int k = e % DEPTH;
			sA[e] = (r < N && k < depth) ? A[r * N + base + k] : 0.0f;
		}
		for (int e = lin; e < DEPTH * WIDTH; e += WIDTH * HEIGHT) {
			int k = e / WIDTH;
			int c = blockIdx.x * WIDTH + e % WIDTH;
			sB[e] = (c < N && k < depth) ? B[(base + k) * N + c] : 0.0f;
		}
		__syncthreads();
		for (int k = 0; k < depth; k++)
			acc += sA[threadIdx.y * DEPTH + k] * sB[k * WIDTH + threadIdx.x];
		__syncthreads();
	}

	if (row < N && col < N)
		C[row * N + col] = acc;
}

LAUNCH(.block = {WIDTH, HEIGHT}, .tile = {WIDTH, HEIGHT}, .shared = (HEIGHT * DEPTH + DEPTH * WIDTH) * sizeof(float));
