// expect: ok
// Four warps load tiles and eight multiply them; barrier objects say which tile is full and which is empty.
#include <cuda/barrier>
#include <lab.h>
constexpr int T = 16;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full[2], empty[2];
    int n = threadIdx.x;
    if (n == 0)
        for (int i = 0; i < 2; ++i) {
            init(&full[i], 384);
            init(&empty[i], 384);
        }
    __syncthreads();
    int tiles = (N + T - 1) / T, r0 = blockIdx.y * T, c0 = blockIdx.x * T;
    if (n >= 256) {
        for (int t = 0; t < tiles; ++t) {
            if (t >= 2)
                empty[t & 1].arrive_and_wait();
            for (int i = n - 256; i < T * T; i += 128) {
                int y = i / T, x = i % T;
                a[t & 1][y][x] = r0 + y < N && t * T + x < N ? A[(r0 + y) * N + t * T + x] : 0;
                b[t & 1][y][x] = t * T + y < N && c0 + x < N ? B[(t * T + y) * N + c0 + x] : 0;
            }
            (void)full[t & 1].arrive();
        }
    } else {
        int y = n / T, x = n % T;
        float s = 0;
        for (int t = 0; t < tiles; ++t) {
            full[t & 1].arrive_and_wait();
            for (int k = 0; k < T; ++k)
                s += a[t & 1][y][k] * b[t & 1][k][x];
            if (t + 2 < tiles)
                (void)empty[t & 1].arrive();
        }
        if (r0 + y < N && c0 + x < N)
            C[(r0 + y) * N + c0 + x] = s;
    }
}
LAUNCH(.block = {384}, .tile = {T, T});
