#include <lab.h>

// A ring inside the warp, as in Cannon's algorithm: every lane owns a column. 32 values of a row of A lie one in each
// lane; after each multiplication they all move to the neighbouring lane. Lane l starts with k = l.
struct Ring {
    float value;
    __device__ void turn() { value = __shfl_sync(0xffffffffu, value, (threadIdx.x + 1) % 32); }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int col = blockIdx.x * 32 + lane;
    const int row = 3 * (blockIdx.y * blockDim.y + threadIdx.y);
    float sum[3] = {};

    for (int k0 = 0; k0 < N; k0 += 32) {
        Ring ring[3];
        for (int i = 0; i < 3; ++i)
            ring[i].value = row + i < N && k0 + lane < N ? A[(row + i) * N + k0 + lane] : 0.0f;
        for (int s = 0; s < 32; ++s) {
            const int k = k0 + (lane + s) % 32;
            const float b = k < N && col < N ? B[k * N + col] : 0.0f;
            for (int i = 0; i < 3; ++i) {
                sum[i] += ring[i].value * b;
                ring[i].turn();
            }
        }
    }

    for (int i = 0; i < 3; ++i)
        if (row + i < N && col < N)
            C[(row + i) * N + col] = sum[i];
}

LAUNCH(.block = {32, 2}, .tile = {32, 6});
