// expect: ok; sizes: 36
// One warp starts asynchronous copies, eight multiply: the roles of a pipeline of the block.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <lab.h>
namespace cg = cooperative_groups;
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    int tid = block.thread_rank();
    auto role = tid < 256 ? cuda::pipeline_role::consumer : cuda::pipeline_role::producer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    int tiles = (N + T - 1) / T;
    if (role == cuda::pipeline_role::producer) {
        for (int i = 0; i < tiles; ++i) {
            pipe.producer_acquire();
            for (int j = tid - 256; j < T * T; j += 32) {
                int y = j / T, x = j % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
                if (row < N && i * T + x < N) cuda::memcpy_async(&a[i % 2][y][x], A + row * N + i * T + x, sizeof(float), pipe);
                else a[i % 2][y][x] = 0;
                if (col < N && i * T + y < N) cuda::memcpy_async(&b[i % 2][y][x], B + (i * T + y) * N + col, sizeof(float), pipe);
                else b[i % 2][y][x] = 0;
            }
            pipe.producer_commit();
        }
    } else {
        int y = tid / T, x = tid % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
        float s = 0;
        for (int i = 0; i < tiles; ++i) {
            pipe.consumer_wait();
            for (int k = 0; k < T; ++k) s += a[i % 2][y][k] * b[i % 2][k][x];
            pipe.consumer_release();
        }
        if (row < N && col < N) C[row * N + col] = s;
    }
}
LAUNCH(.block = {288}, .tile = {T, T});
