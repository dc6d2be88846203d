#include <lab.h>

const int SIDE = 8;
const int DEPTH = 8;    // parts of each dot product

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[DEPTH][SIDE][SIDE];

    const int c = blockIdx.x * SIDE + threadIdx.x;
    const int r = blockIdx.y * SIDE + threadIdx.y;
    const int z = threadIdx.z;

    float p = 0.0f;
    if (r < N && c < N) {
        for (int k = z; k < N; k += DEPTH) {
            p = fmaf(A[r * N + k], B[k * N + c], p);
        }
    }
    parts[z][threadIdx.y][threadIdx.x] = p;
    __syncthreads();

    // tree
    for (int s = DEPTH / 2; s >= 0; s >>= 1) {
        if (z < s)
            parts[z][threadIdx.y][threadIdx.x] += parts[z + s][threadIdx.y][threadIdx.x];
        __syncthreads();
    }

    if (z == 0 && r < N && c < N)
        C[r * N + c] = parts[0][threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {SIDE, SIDE, DEPTH}, .tile = {SIDE, SIDE});
