// 2x2 results per thread with float2
#include <lab.h>

#define T 32          // tile of C
#define TK 8          // depth

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float2 As[TK][T / 2];   // pairs of rows
    __shared__ float2 Bs[TK][T / 2];   // pairs of columns

    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * T + 2 * ty;
    int c = blockIdx.x * T + 2 * tx;
    int tid = ty * 16 + tx;

    float2 s0 = make_float2(0, 0), s1 = make_float2(0, 0);

    for (int k0 = 0; k0 + TK <= N; k0 += TK) {
        if (tid < 128) {               // first half of the threads loads A ...
            int k = tid % TK, m = tid / TK;
            int g = blockIdx.y * T + 2 * m;
            float2 v = make_float2(0, 0);
            if (k0 + k < N) {
                if (g < N) v.x = A[g * N + k0 + k];
                if (g + 1 < N) v.y = A[(g + 1) * N + k0 + k];
            }
            As[k][m] = v;
        } else {                       // ... second half loads B
            int n = (tid - 128) % 16, k = (tid - 128) / 16;
            int g = blockIdx.x * T + 2 * n;
            float2 v = make_float2(0, 0);
            if (k0 + k < N) {
                if (g < N) v.x = B[(k0 + k) * N + g];
                if (g + 1 < N) v.y = B[(k0 + k) * N + g + 1];
            }
            Bs[k][n] = v;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < TK; ++k) {
            float2 a = As[k][ty], b = Bs[k][tx];
            s0.x += a.x * b.x;
            s0.y += a.x * b.y;
            s1.x += a.y * b.x;
            s1.y += a.y * b.y;
        }
        __syncthreads();
    }

    if (r < N && c < N) C[r * N + c] = s0.x;
    if (r < N && c + 1 < N) C[r * N + c + 1] = s0.y;
    if (r + 1 < N && c < N) C[(r + 1) * N + c] = s1.x;
    if (r + 1 < N && c + 1 < N) C[(r + 1) * N + c + 1] = s1.y;
}

LAUNCH(.block = {16, 16}, .tile = {T, T});
