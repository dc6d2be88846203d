#include <lab.h>

constexpr int BM = 32, BN = 64, BK = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN + 1];

    const int tx = threadIdx.x;   // 16 groups of 4 columns
    const int ty = threadIdx.y;   // 16 groups of 2 rows
    const int tid = ty * 16 + tx;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;

    float4 s0 = make_float4(0, 0, 0, 0);
    float4 s1 = make_float4(0, 0, 0, 0);

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = r0 + i / BK, k = k0 + i % BK;
            As[i / BK][i % BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            int k = k0 + i / BN, c = c0 + i % BN;
            Bs[i / BN][i % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][tx * 4]);
            const float a0 = As[ty * 2][k], a1 = As[ty * 2 + 1][k];
            s0.x += a0 * b.x; s0.y += a0 * b.y; s0.z += a0 * b.z; s0.w += a0 * b.w;
            s1.x += a1 * b.x; s1.y += a1 * b.y; s1.z += a1 * b.z; s1.w += a1 * b.w;
        }
        __syncthreads();
    }

    const float out[2][4] = {{s0.x, s0.y, s0.z, s0.w}, {s1.x, s1.y, s1.z, s1.w}};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = r0 + ty * 2 + i, c = c0 + tx * 4 + j;
            if (r < N && c < N) C[r * N + c] = out[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
