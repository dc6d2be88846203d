// expect: ok; sizes: 36
// Two stages of a pipeline that all threads of a block share.
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <lab.h>
namespace cg = cooperative_groups;
constexpr int T = 16;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int y = threadIdx.y, x = threadIdx.x, row = blockIdx.y * T + y, col = blockIdx.x * T + x, tiles = (N + T - 1) / T;
    auto load = [&](int t) {
        int s = t & 1;
        pipe.producer_acquire();
        if (row < N && t * T + x < N)
            cuda::memcpy_async(&a[s][y][x], A + row * N + t * T + x, sizeof(float), pipe);
        else
            a[s][y][x] = 0;
        if (t * T + y < N && col < N)
            cuda::memcpy_async(&b[s][y][x], B + (t * T + y) * N + col, sizeof(float), pipe);
        else
            b[s][y][x] = 0;
        pipe.producer_commit();
    };
    float s = 0;
    load(0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            load(t + 1);
        pipe.consumer_wait();
        for (int k = 0; k < T; ++k)
            s += a[t & 1][y][k] * b[t & 1][k][x];
        pipe.consumer_release();
    }
    if (row < N && col < N)
        C[row * N + col] = s;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
