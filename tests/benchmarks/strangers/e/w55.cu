// 64x64 tile of C per block, every thread has a 4x4 patch in registers
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[64][17];
    __shared__ float sB[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += 16) {
        // 1024 elements of each, 256 threads -> four loads per matrix
        for (int e = tid; e < 1024; e += 256) {
            int ar = e / 16, ac = e % 16;
            int gr = blockIdx.y * 64 + ar;
            sA[ar][ac] = (gr < N && k0 + ac < N) ? A[gr * N + k0 + ac] : 0.f;
            int br = e / 64, bc = e % 64;
            int gc = blockIdx.x * 64 + bc;
            sB[br][bc] = (k0 + br < N && gc < N) ? B[(k0 + br) * N + gc] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            for (int i = 0; i < 4; i++) {
                float a = sA[ty + 16 * i][k];
                for (int j = 0; j < 4; j++)
                    acc[i][j] += a * sB[k][tx + 16 * j];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int r = blockIdx.y * 64 + ty * 4 + i;
        for (int j = 0; j < 4; j++) {
            int c = blockIdx.x * 64 + tx + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 64});
