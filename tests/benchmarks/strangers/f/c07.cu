#include <lab.h>

constexpr int P = 24;                 // no power of two
constexpr int LD = P + 1;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float pool[];
    float *const a = pool;
    float *const bT = pool + P * LD;  // transposed

    const int x = threadIdx.x, y = threadIdx.y;
    const int r = blockIdx.y * P + y, c = blockIdx.x * P + x;
    float s = 0.0f;
    int k0 = 0;
    do {
        a[y * LD + x] = (r < N && k0 + x < N) ? A[r * N + k0 + x] : 0.0f;
        bT[x * LD + y] = (c < N && k0 + y < N) ? B[(k0 + y) * N + c] : 0.0f;
        __syncthreads();
        for (int i = 0; i < P; ++i) {
            const int k = (i + x) % P;           // starts elsewhere in each column
            s += a[y * LD + k] * bT[x * LD + k];
        }
        __syncthreads();
        k0 += P;
    } while (k0 < N);

    if (r < N && c < N)
        C[r * N + c] = s;
}

LAUNCH(.block = {P, P}, .tile = {P, P}, .shared = 2 * P * LD * sizeof(float));
