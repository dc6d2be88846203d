#include <lab.h>

constexpr int TS = 32;
constexpr int PAD = 1;

// A tile is read 4 k at a time (float4); padding against bank conflicts
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float as[TS][TS + PAD];
    __shared__ __align__(16) float bs[TS][TS];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int r = blockIdx.y * TS + ty;
    const int c = blockIdx.x * TS + tx;

    float sum = 0.f;
    for (int t = 0; t < N; t += TS) {
        as[ty][tx] = (r < N && t + tx < N) ? A[r * N + t + tx] : 0.f;
        bs[ty][tx] = (t + ty < N && c < N) ? B[(t + ty) * N + c] : 0.f;
        __syncthreads();

        for (int k = 0; k < TS; k += 4) {
            const float4 a = *reinterpret_cast<const float4 *>(&as[ty][k]);
            sum += a.x * bs[k][tx] + a.y * bs[k + 1][tx] + a.z * bs[k + 2][tx] + a.w * bs[k + 3][tx];
        }
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
