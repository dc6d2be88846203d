#include <lab.h>

#define T 32
#define NY 8
#define CELL(r, c) (((r) << 5) | ((c) ^ (r)))   // no padding: the columns of row r are permuted

extern __shared__ __align__(16) unsigned char raw[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *const a = reinterpret_cast<float *>(raw);
    float *const b = a + T * T;

    const int x = threadIdx.x, y = threadIdx.y;
    const int left = blockIdx.x * T, top = blockIdx.y * T;

    float4 acc = {};
    for (int k0 = 0; k0 < N; k0 += T) {
        for (int r = y; r < T; r += NY) {
            float va = 0.0f, vb = 0.0f;
            if (top + r < N && k0 + x < N) va = A[(top + r) * N + k0 + x];
            if (k0 + r < N && left + x < N) vb = B[(k0 + r) * N + left + x];
            a[CELL(x, r)] = va;     // transposed
            b[CELL(r, x)] = vb;
        }
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            const float v = b[CELL(k, x)];
            acc.x += a[CELL(k, y)] * v;
            acc.y += a[CELL(k, y + NY)] * v;
            acc.z += a[CELL(k, y + 2 * NY)] * v;
            acc.w += a[CELL(k, y + 3 * NY)] * v;
        }
        __syncthreads();
    }

    const int col = left + x;
    if (col >= N)
        return;
    if (top + y + 0 * NY < N) C[(top + y + 0 * NY) * N + col] = acc.x;
    if (top + y + 1 * NY < N) C[(top + y + 1 * NY) * N + col] = acc.y;
    if (top + y + 2 * NY < N) C[(top + y + 2 * NY) * N + col] = acc.z;
    if (top + y + 3 * NY < N) C[(top + y + 3 * NY) * N + col] = acc.w;
}

LAUNCH(.block = {T, NY}, .tile = {T, T}, .shared = 2 * T * T * sizeof(float));
