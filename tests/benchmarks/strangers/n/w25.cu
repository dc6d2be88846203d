#include <lab.h>

struct Sums {
    float4 lo, hi;
    __device__ Sums() { lo = make_float4(0.f, 0.f, 0.f, 0.f); }
    __device__ void add(float s, const float *v)
    {
        lo.x += s * v[0]; lo.y += s * v[1]; lo.z += s * v[2]; lo.w += s * v[3];
        hi.x += s * v[4]; hi.y += s * v[5]; hi.z += s * v[6]; hi.w += s * v[7];
    }
    __device__ float get(int i) const
    {
        switch (i) {
        case 0: return lo.x;  case 1: return lo.y;  case 2: return lo.z;  case 3: return lo.w;
        case 4: return hi.x;  case 5: return hi.y;  case 6: return hi.z;  default: return hi.w;
        }
    }
};

#define TM 16
#define TN 128

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TM][16];
    __shared__ float sB[16][TN];
    int tx = threadIdx.x, ty = threadIdx.y;   // 16 x 16
    int row = blockIdx.y * TM + ty;
    int left = blockIdx.x * TN;
    Sums sums;

    for (int k0 = 0; k0 < N; k0 += 16) {
        sA[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.f;
        for (int j = tx; j < TN; j += 16)
            sB[ty][j] = k0 + ty < N && left + j < N ? B[(k0 + ty) * N + left + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sums.add(sA[ty][k], &sB[k][tx * 8]);
        __syncthreads();
    }

    for (int j = 0; j < 8; ++j)
        if (row < N && left + tx * 8 + j < N)
            C[row * N + left + tx * 8 + j] = sums.get(j);
}

LAUNCH(.block = {16, 16}, .tile = {TN, TM});
