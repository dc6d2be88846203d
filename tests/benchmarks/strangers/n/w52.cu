#include <lab.h>

struct __align__(16) Block {
    int rows;
    float a[16 * 16];        // row after row, 4 float4 each
    float b[16 * 16];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Block s;
    const int x = threadIdx.x, y = threadIdx.y;
    const int r = blockIdx.y * 16 + y, c = blockIdx.x * 16 + x;
    if (x + y == 0)
        s.rows = N;
    __syncthreads();

    float v = 0.0f;
    for (int t = 0; t < s.rows; t += 16) {
        s.a[y * 16 + x] = r < N && t + x < N ? A[r * N + t + x] : 0.0f;
        s.b[y * 16 + x] = c < N && t + y < N ? B[(t + y) * N + c] : 0.0f;
        __syncthreads();
        const float4 *a4 = reinterpret_cast<const float4 *>(s.a + y * 16);
        for (int q = 0; q < 4; ++q) {
            const float4 f = a4[q];
            const float *b = s.b + q * 64 + x;
            v += f.x * b[0] + f.y * b[16] + f.z * b[32] + f.w * b[48];
        }
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
