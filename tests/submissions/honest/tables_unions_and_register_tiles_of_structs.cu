// expect: ok; sizes: 33, 68
// Arrays of structs in constant expressions, in registers, in a union, and in a function of the host.
#include <lab.h>
#include <cstdio>
union Quad { float4 v; float f[4]; };
struct Frag { float c[4][4]; Quad q[2]; };
struct Table { int v[16]; constexpr Table() : v() { for (int i = 0; i < 16; ++i) v[i] = (i * 5) % 16; } };
__constant__ constexpr Table order{};
struct Sh { volatile float a[64][17]; float4 b4[16][16]; };
static_assert(Table().v[3] == 15, "");
constexpr Table host_table; constexpr int five = host_table.v[1];
struct Matrix { int w, h; float *elements; float small[2]; };
static float host(Matrix m) { return m.elements[0] + m.small[1]; }
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Sh s;
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    Frag f = {};
    for (int k0 = 0; k0 < N; k0 += 16) {
        auto load = [&](int i) { int r = t / 16 + i * 16, c = t % 16; s.a[r][c] = row0 + r < N && k0 + c < N ? A[(row0 + r) * N + k0 + c] : 0.f; };
        for (int i = 0; i < 4; ++i) load(i);
        Quad q;
        for (int i = 0; i < 4; ++i) { int c = col0 + tx * 4 + i; q.f[i] = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0.f; }
        s.b4[ty][tx] = q.v;
        __syncthreads();
        for (int kk = 0; kk < 16; ++kk) {
            int k = order.v[kk];
            f.q[0].v = s.b4[k][tx];
            for (int i = 0; i < 4; ++i) {
                #pragma unroll
                for (int j = 0; j < 4; ++j) f.c[i][j] += s.a[ty * 4 + i][k] * f.q[0].f[j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) { int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j; if (r < N && c < N) C[r * N + c] = f.c[i][j]; }
}
LAUNCH(.block = {16, 16}, .tile = {64, 64});
int main() { Matrix m{}; std::printf("%f", host(m)); }
