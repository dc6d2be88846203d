#include <lab.h>

#define MT 32
#define NT 64
#define KT 16

// block of 16 x 16 threads, 2 x 4 results for each
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[MT][KT + 1];
    __shared__ __align__(16) float Bs[KT][NT + 1];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * 16 + tx;
    int r0 = blockIdx.y * MT, c0 = blockIdx.x * NT;
    float4 s[2];
    s[0] = s[1] = make_float4(0.f, 0.f, 0.f, 0.f);

    for (int k0 = 0; k0 < N; k0 += KT) {
        for (int i = t; i < MT * KT; i += 256) {
            int r = r0 + i / KT, k = k0 + i % KT;
            As[i / KT][i % KT] = r < N && k < N ? A[r * N + k] : 0.f;
        }
        for (int i = t; i < KT * NT; i += 256) {
            int k = k0 + i / NT, c = c0 + i % NT;
            Bs[i / NT][i % NT] = k < N && c < N ? B[k * N + c] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < KT; ++k) {
            float4 b = *reinterpret_cast<const float4 *>(&Bs[k][4 * tx]);
            for (int i = 0; i < 2; ++i) {
                float a = As[2 * ty + i][k];
                s[i].x += a * b.x;
                s[i].y += a * b.y;
                s[i].z += a * b.z;
                s[i].w += a * b.w;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i) {
        int r = r0 + 2 * ty + i, c = c0 + 4 * tx;
        if (r >= N) break;
        if (c + 0 < N) C[r * N + c + 0] = s[i].x;
        if (c + 1 < N) C[r * N + c + 1] = s[i].y;
        if (c + 2 < N) C[r * N + c + 2] = s[i].z;
        if (c + 3 < N) C[r * N + c + 3] = s[i].w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {NT, MT});
