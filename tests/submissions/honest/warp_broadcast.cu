// expect: ok
// Each lane holds one element of a row of A and one column of C; shuffles broadcast the elements of A.
#include <lab.h>

#define WARP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * WARP + lane;

    float sum = 0.0f;
    for (int first = 0; first < N; first += WARP) {
        float mine = row < N && first + lane < N ? A[row * N + first + lane] : 0.0f;
        for (int i = 0; i < WARP && first + i < N; ++i) {
            float a = __shfl_sync(0xffffffffu, mine, i);
            if (col < N)
                sum += a * B[(first + i) * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, 4}, .tile = {WARP, 4});
