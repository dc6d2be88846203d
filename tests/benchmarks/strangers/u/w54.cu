#include <lab.h>

constexpr int TS = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float scratchpad[];
    float *left  = scratchpad;             // TS x TS
    float *right = scratchpad + TS * TS;   // TS x TS

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty;
    const int col = blockIdx.x * TS + tx;
    const int slot = ty * TS + tx;

    double acc = 0.0;   // double just to be safe
    const int tiles = (N + TS - 1) / TS;
    for (int t = 0; t < tiles; t++) {
        left[slot]  = (row < N && t * TS + tx < N) ? A[row * N + t * TS + tx] : 0.0f;
        right[slot] = (t * TS + ty < N && col < N) ? B[(t * TS + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; k++)
            acc += (double)left[ty * TS + k] * right[k * TS + tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = (float)acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = 2 * TS * TS);
