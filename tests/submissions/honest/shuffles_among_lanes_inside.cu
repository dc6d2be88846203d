// expect: ok
// The lanes of a warp share a row of A by shuffles among those that are inside of C, which a vote has named.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * WARP + lane;
    bool inside = row < N && col < N;
    unsigned mask = __ballot_sync(0xffffffffu, inside);
    if (!inside)
        return;

    int lanes = __popc(mask);
    float sum = 0.0f;
    for (int first = 0; first < N; first += lanes) {
        float a = first + lane < N ? A[row * N + first + lane] : 0.0f;
        for (int i = 0; i < lanes && first + i < N; ++i)
            sum += __shfl_sync(mask, a, i) * B[(first + i) * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, 8}, .tile = {WARP, 8});
