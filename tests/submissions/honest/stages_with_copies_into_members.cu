// expect: ok
// Asynchronous copies into the members of two stages, with references, bindings and rows of operators.
#include <lab.h>
#include <cuda_pipeline.h>
template <class T, int R, int K> struct Array2 { T v[R][K]; __device__ T* operator[](int r) { return v[r]; } };
struct Stage { alignas(16) float a[16][16]; alignas(16) float b[16][16]; };
struct Smem { Stage stage[2]; Array2<float, 2, 2> x; };
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ Smem sm;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    auto load = [&](int s, int f) {
        Stage &st = sm.stage[s];
        if (row < N && f + tx < N) __pipeline_memcpy_async(&st.a[ty][tx], &A[row * N + f + tx], 4); else st.a[ty][tx] = 0;
        if (col < N && f + ty < N) __pipeline_memcpy_async(&(st.b[ty][tx]), &B[(f + ty) * N + col], 4); else st.b[ty][tx] = 0;
        __pipeline_commit();
    };
    float sum = 0;
    load(0, 0);
    for (int f = 0, s = 0; f < N; f += 16, s ^= 1) {
        if (f + 16 < N) load(s ^ 1, f + 16); else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        auto &[a, b] = sm.stage[s];
        const float (&ra)[16] = sm.stage[s].a[ty];
        for (int k = 0; k < 16; ++k) sum += ra[k] * b[k][tx] + 0.f * a[ty][k] * (k < 15 && sm.stage[s].b[k + 1][tx] > 0);
        __syncthreads();
    }
    if (tx == 0 && ty < 2) { sm.x[ty][0] = sum; sm.x.v[ty][1] = sum; float* p = sm.x.v[ty]; sum = p[0] * .5f + p[1] * .5f; }
    if (row < N && col < N) C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
