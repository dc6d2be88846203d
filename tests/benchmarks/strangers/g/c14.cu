#include <lab.h>

// Why always powers of two?  96 threads, a tile of 20 columns and 23 rows, steps of 7.
enum : int { WORKERS = 96, W = 20, H = 23, D = 7, EACH = (W * H + WORKERS - 1) / WORKERS };

extern "C" __global__ void __launch_bounds__(WORKERS) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[H * D];
    __shared__ float right[D * W];

    const int me = threadIdx.x;
    const int c0 = W * blockIdx.x, r0 = H * blockIdx.y;

    float sum[EACH];
    for (float &s : sum)
        s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        for (int e = me; e < H * D; e += WORKERS) {
            const int r = r0 + e / D, k = k0 + e % D;
            left[e] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int e = me; e < D * W; e += WORKERS) {
            const int k = k0 + e / W, c = c0 + e % W;
            right[e] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();

        for (int n = 0; n < EACH; ++n) {
            const int e = me + n * WORKERS;
            if (e < W * H)
                for (int k = 0; k < D; ++k)
                    sum[n] += left[e / W * D + k] * right[k * W + e % W];
        }
        __syncthreads();
    }

    for (int n = 0; n < EACH; ++n) {
        const int e = me + n * WORKERS;
        const int r = r0 + e / W, c = c0 + e % W;
        if (e < W * H && r < N && c < N)
            C[r * N + c] = sum[n];
    }
}

LAUNCH(.block = {WORKERS}, .tile = {W, H});
