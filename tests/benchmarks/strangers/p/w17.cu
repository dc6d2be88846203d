#include <lab.h>

#define TX 16
#define TY 16
#define SPLIT 4     // threads in z share the sum over k

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[SPLIT][TY][TX];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * TX + x;
    const int row = blockIdx.y * TY + y;

    const int chunk = N / SPLIT;
    const int first = z * chunk;
    const int last  = min(first + chunk, N);

    float s = 0.0f;
    if (row < N && col < N)
        for (int k = first; k < last; ++k)
            s += A[row * N + k] * B[k * N + col];
    part[z][y][x] = s;
    __syncthreads();

    if (z == 0 && row < N && col < N) {
        for (int i = 1; i < SPLIT; ++i)
            s += part[i][y][x];
        C[row * N + col] = s;
    }
}

LAUNCH(.block = {TX, TY, SPLIT}, .tile = {TX, TY});
