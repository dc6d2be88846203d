// expect: ok
// Stream-K: each block takes the same number of steps along k, wherever tiles begin and end.
#include <lab.h>

constexpr int T = 16;
__device__ float partial[4096][T * T];
__device__ unsigned flag[4096];
extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T + 1], b[T][T + 1];
    int y = threadIdx.y, x = threadIdx.x, tid = y * T + x;
    int tiles = (N + T - 1) / T, slices = tiles, total = tiles * tiles * slices;
    int blocks = gridDim.x * gridDim.y, id = blockIdx.y * gridDim.x + blockIdx.x;
    int per = (total + blocks - 1) / blocks, from = id * per, to = min(total, from + per);
    while (from < to) {
        int tile = from / slices, s0 = from % slices, s1 = min(slices, s0 + (to - from));
        int r0 = tile / tiles * T, c0 = tile % tiles * T;
        float sum = 0;
        for (int s = s0; s < s1; ++s) {
            int k = s * T;
            a[y][x] = r0 + y < N && k + x < N ? A[(r0 + y) * N + k + x] : 0;
            b[y][x] = k + y < N && c0 + x < N ? B[(k + y) * N + c0 + x] : 0;
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += a[y][i] * b[i][x];
            __syncthreads();
        }
        if (s0 != 0) {  // not the owner: publish
            partial[id][tid] = sum;
            __threadfence();
            __syncthreads();
            if (tid == 0)
                atomicExch(&flag[id], 1u);
        } else {
            int done = s1, other = id;
            while (done < slices) {  // collect from following blocks
                ++other;
                if (tid == 0) {
                    while (atomicAdd(&flag[other], 0u) == 0u)
                        ;
                    atomicExch(&flag[other], 0u);
                }
                __syncthreads();
                __threadfence();
                sum += __ldcg(&partial[other][tid]);
                done += min(slices - done, per);
                __syncthreads();
            }
            if (r0 + y < N && c0 + x < N)
                C[(r0 + y) * N + c0 + x] = sum;
        }
        from += s1 - s0;
    }
}
LAUNCH(.block = {T, T}, .tile = {24, 24});
