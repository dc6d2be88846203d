// expect: ok
// Tiles that are members are also filled through one pointer, as one row, and by the rows of another type.
#include <lab.h>
struct __align__(16) Tiles { float a[16][16], b[16][16]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles s[2];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    float *flat = &s[0].a[0][0];
    for (int i = t; i < sizeof(s) / sizeof(s[0].a[0][0]); i += 256) flat[i] = 0;
    __syncthreads();
    static_assert(sizeof(Tiles::a[0]) == 64, "");
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int f = 0, st = 0; f < N; f += sizeof(s[0].a) / sizeof(s[0].a[0]), st ^= 1) {
        s[st].a[0][t] = row < N && f + tx < N ? A[row * N + f + tx] : 0;
        (*(&s[st])).b[ty][tx] = col < N && f + ty < N ? B[(f + ty) * N + col] : 0;
        __syncthreads();
        const float (*bb)[16] = s[st].b;
        const float *ar = s[st].a[ty], *end = s[st].a[ty + 1];
        for (int k = 0; ar != end; ++k) sum += *ar++ * bb[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
