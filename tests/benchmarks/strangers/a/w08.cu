#include <lab.h>

#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
	__shared__ float As[BK][BM];
	__shared__ float Bs[BK][BN];

	int tid = threadIdx.x;          // 512 threads
	int tn = tid % BN;              // my column
	int tm = tid / BN;              // my first row, then every 8th one
	int blockRow = blockIdx.y * BM;
	int blockCol = blockIdx.x * BN;

	float acc[8];
	for (int i = 0; i < 8; i++) acc[i] = 0;

	int am = tid / BK, ak = tid % BK;
	int bk = tid / BN, bn = tid % BN;

	for (int k0 = 0; k0 < N; k0 += BK) {
		int r = blockRow + am;
		int c = blockCol + bn;
		As[am][ak] = r < N && k0 + ak < N ? A[r * N + k0 + ak] : 0;
		Bs[bk][bn] = c < N && k0 + bk < N ? B[(k0 + bk) * N + c] : 0;
		__syncthreads();

		for (int k = 0; k < BK; k++) {
			float b = Bs[k][tn];
			for (int i = 0; i < 8; i++)
				acc[i] += As[tm + 8 * i][k] * b;
		}
		__syncthreads();
	}

	int c = blockCol + tn;
	for (int i = 0; i < 8; i++) {
		int r = blockRow + tm + 8 * i;
		if (r < N && c < N) C[r * N + c] = acc[i];
	}
}

LAUNCH(.block = {512}, .tile = {BN, BM});
