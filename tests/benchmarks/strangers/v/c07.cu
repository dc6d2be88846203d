// blockIdx.x walks down the rows, blocks on diagonals, 4x2 results per thread, next tile in registers,
// A's tile transposed and swizzled, float2 stores where the address allows it
#include <lab.h>
#include <stdint.h>

template <int M, int W, int K>
struct Gemm {
    static constexpr int X = W / 2, Y = M / 4, THREADS = X * Y;
    static constexpr int LA = M * K / THREADS, LB = K * W / THREADS;

    float a[K][M];
    float2 b[K][X];

    __device__ static int swizzle(int m, int k) { return m ^ (k & 7) * 4; }

    __device__ void run(const float *A, const float *B, float *C, int N, int r0, int c0)
    {
        const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * X + tx;
        float ra[LA], rb[LB];
        float2 acc[4] = {};

        auto fetch = [&](int k0) {
            #pragma unroll
            for (int i = 0; i < LA; ++i) {
                const int e = tid + i * THREADS, m = r0 + e / K, k = k0 + e % K;
                ra[i] = m < N && k < N ? A[m * N + k] : 0.0f;
            }
            #pragma unroll
            for (int i = 0; i < LB; ++i) {
                const int e = tid + i * THREADS, k = k0 + e / W, n = c0 + e % W;
                rb[i] = k < N && n < N ? B[k * N + n] : 0.0f;
            }
        };

        fetch(0);
        for (int k0 = 0; k0 < N; k0 += K) {
            for (int i = 0; i < LA; ++i) {
                const int e = tid + i * THREADS;
                a[e % K][swizzle(e / K, e % K)] = ra[i];
            }
            for (int i = 0; i < LB; ++i) {
                const int e = tid + i * THREADS, n = e % W;
                (n & 1 ? b[e / W][n / 2].y : b[e / W][n / 2].x) = rb[i];
            }
            __syncthreads();
            if (k0 + K < N) fetch(k0 + K);
            for (int k = 0; k < K; ++k) {
                const float2 v = b[k][tx];
                for (int i = 0; i < 4; ++i) {
                    const float u = a[k][swizzle(ty + i * Y, k)];
                    acc[i].x += u * v.x;
                    acc[i].y += u * v.y;
                }
            }
            __syncthreads();
        }

        const int c = c0 + 2 * tx;
        for (int i = 0; i < 4; ++i) {
            const int r = r0 + ty + i * Y;
            if (r >= N || c >= N) continue;
            float *p = C + r * N + c;
            if (c + 1 < N && (uintptr_t)p % sizeof(float2) == 0) {
                *(float2 *)p = acc[i];
            } else {
                p[0] = acc[i].x;
                if (c + 1 < N) p[1] = acc[i].y;
            }
        }
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Gemm<64, 32, 16> gemm;
    const int bc = (blockIdx.x + blockIdx.y) % gridDim.y;
    gemm.run(A, B, C, N, blockIdx.x * 64, bc * 32);
}

LAUNCH(.block = {16, 16}, .tile = {32, 64}, .grid_x = ROWS);
