// float4 loads from global memory. A's tile is stored transposed so that the inner loop reads
// both tiles along rows.
#include <lab.h>

#define TILE 64
#define KT 16

// 4 consecutive elements of row r from column c on; zero outside of the matrix
__device__ float4 load4(const float *M, int r, int c, int N)
{
    float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (r >= N) return v;
    const float *p = M + (size_t)r * N + c;
    if (N % 4 == 0 && c + 3 < N) {
        v = *reinterpret_cast<const float4 *>(p);
    } else {
        if (c + 0 < N) v.x = p[0];
        if (c + 1 < N) v.y = p[1];
        if (c + 2 < N) v.z = p[2];
        if (c + 3 < N) v.w = p[3];
    }
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[KT][TILE];
    __shared__ float4 Bs[KT][TILE / 4];

    const int tid = threadIdx.x;          // 0..255
    const int tx = tid % 16, ty = tid / 16;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;

    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += KT) {
        {
            const int r = tid / 4, c = (tid % 4) * 4;
            const float4 v = load4(A, row0 + r, k0 + c, N);
            At[c + 0][r] = v.x;
            At[c + 1][r] = v.y;
            At[c + 2][r] = v.z;
            At[c + 3][r] = v.z;
        }
        Bs[ty][tx] = load4(B, k0 + ty, col0 + tx * 4, N);
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < KT; ++k) {
            const float4 b = Bs[k][tx];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float a = At[k][ty * 4 + i];
                acc[i][0] += a * b.x;
                acc[i][1] += a * b.y;
                acc[i][2] += a * b.z;
                acc[i][3] += a * b.w;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j;
            if (r < N && c < N) C[(size_t)r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {TILE, TILE});
