#include <lab.h>

/*
 * 64 x 64 elements of C per block, 4 x 4 per thread.
 * A is kept transposed in shared memory, so that both operands are read as float4.
 */
#define MT 64
#define NT 64
#define KT 16

extern "C" __global__ void __launch_bounds__(256)
matmul(const float * __restrict__ A, const float * __restrict__ B, float * __restrict__ C, int N)
{
    __shared__ __align__(16) float At[KT][MT + 4];
    __shared__ __align__(16) float Bt[KT][NT];

    const int tid = threadIdx.x;
    const int tm = tid / 16 * 4;
    const int tn = tid % 16 * 4;
    const int m0 = blockIdx.y * MT;
    const int n0 = blockIdx.x * NT;

    float r[4][4] = {{0.f}};

    for (int k0 = 0; k0 < N; k0 += KT) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int am = tid / KT + i * 16, ak = tid % KT;
            At[ak][am] = (m0 + am < N && k0 + ak < N) ? A[(m0 + am) * N + k0 + ak] : 0.f;
            const int bk = tid / NT + i * 4, bn = tid % NT;
            Bt[bk][bn] = (k0 + bk < N && n0 + bn < N) ? B[(k0 + bk) * N + n0 + bn] : 0.f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < KT; ++k) {
            const float4 a4 = *reinterpret_cast<const float4 *>(&At[k][tm]);
            const float4 b4 = *reinterpret_cast<const float4 *>(&Bt[k][tn]);
            const float a[4] = {a4.x, a4.y, a4.z, a4.w};
            const float b[4] = {b4.x, b4.y, b4.z, b4.w};
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    r[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (m0 + tm + i < N && n0 + tn + j < N)
                C[(m0 + tm + i) * N + n0 + tn + j] = r[i][j];
}

LAUNCH(.block = {256}, .tile = {NT, MT});
