// expect: ok
// Keeps the place of a thread in bit fields, and four sums in a union.
#include <lab.h>

union Quad {
    float4 v;
    float f[4];
};
struct Place {
    unsigned row : 12, col : 12, : 4, valid : 1;
};
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Place p;
    p.row = blockIdx.y * 8 + threadIdx.y;
    p.col = blockIdx.x * 32 + threadIdx.x * 4;
    p.valid = p.row < N;
    if (!p.valid)
        return;
    Quad s;
    s.v = make_float4(0, 0, 0, 0);
    for (int k = 0; k < N; ++k) {
        float a = A[p.row * N + k];
        for (int i = 0; i < 4; ++i) {
            unsigned c = p.col + i;
            if (c < N)
                s.f[i] += a * B[k * N + c];
        }
    }
    for (int i = 0; i < 4; ++i)
        if (p.col + i < N)
            C[p.row * N + p.col + i] = s.f[i];
}
LAUNCH(.block = {8, 8}, .tile = {32, 8});
