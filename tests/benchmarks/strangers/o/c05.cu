#include <lab.h>

// float4 where the rows are aligned (N divisible by 4), single floats otherwise
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 64 + threadIdx.x * 4;

    if (row >= N || col >= N)
        return;

    if ((N & 3) == 0)
    {
        const float4 *a4 = reinterpret_cast<const float4 *>(A + row * N);
        float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

#define STEP(s, i)                                                              \
    {                                                                           \
        const float4 b = *reinterpret_cast<const float4 *>(B + (k + i) * N + col); \
        acc.x += (s) * b.x;                                                     \
        acc.y += (s) * b.y;                                                     \
        acc.z += (s) * b.z;                                                     \
        acc.w += (s) * b.w;                                                     \
    }
        for (int k = 0; k < N; k += 4)
        {
            const float4 a = a4[k / 4];
            STEP(a.x, 0)
            STEP(a.y, 1)
            STEP(a.z, 2)
            STEP(a.w, 3)
        }
        *reinterpret_cast<float4 *>(C + row * N + col) = acc;
    }
    else
    {
        const int last = min(col + 4, N);
        for (int c = col; c < last; ++c)
        {
            float acc = 0.0f;
            for (int k = 0; k < N; ++k)
                acc += A[row * N + k] * B[k * N + c];
            C[row * N + c] = acc;
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
