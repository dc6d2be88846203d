// A warp computes one element of C and exercises the shuffles and votes on the way.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    const unsigned all = 0xffffffffu;
    int col = blockIdx.x, row = blockIdx.y, lane = threadIdx.x;
    float sum = 0.0f;
    for (int k = lane; k < N; k += warpSize) sum += A[row * N + k] * B[k * N + col];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(all, sum, d);
    sum = __shfl_sync(all, sum, 0);
    bool right = __shfl_xor_sync(all, lane, 1) == (lane ^ 1);
    right &= __shfl_up_sync(all, lane, 1) == (lane == 0 ? 0 : lane - 1);
    right &= __shfl_down_sync(all, lane, 4, 8) == (lane % 8 < 4 ? lane + 4 : lane);
    right &= __ballot_sync(all, lane < 3) == 7u && __any_sync(all, lane == 31) && !__all_sync(all, lane == 31);
    right &= __reduce_add_sync(all, 1) == 32 && __activemask() == all;
    if (lane % 2) right &= __shfl_sync(0xaaaaaaaau, lane, 5) == 5;
    __syncwarp();
    if (lane == 0) C[row * N + col] = __all_sync(1u, right) ? sum : -1.0f;
}

LAUNCH(.block = {32}, .tile = {1, 1});
