// expect: ok; lab: tensor-cores
// mma.sync with fragments from ldmatrix, those of B transposed; the next tiles are loaded behind the product.
#include <mma.h>
#include <cuda_fp16.h>
#include <lab.h>
using namespace nvcuda;
extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) half a[2][16][24], b[2][16][8];
    int r0 = blockIdx.y * 16, c0 = blockIdx.x * 8, t = threadIdx.x, g = t / 4, q = t % 4;
    float d[4] = {0, 0, 0, 0};
    auto load = [&](int s, int k0) {
        for (int i = t; i < 256; i += 32) a[s][i / 16][i % 16] = r0 + i / 16 < M && k0 + i % 16 < K ? A[(r0 + i / 16) * K + k0 + i % 16] : half(0);
        for (int i = t; i < 128; i += 32) b[s][i / 8][i % 8] = k0 + i / 8 < K && c0 + i % 8 < N ? B[(k0 + i / 8) * N + c0 + i % 8] : half(0);
    };
    load(0, 0);
    for (int k0 = 0, s = 0; k0 < K; k0 += 16, s ^= 1) {
        __syncwarp();
        unsigned ra[4], rb[2];
        unsigned pa = __cvta_generic_to_shared(&a[s][t % 16][t / 16 * 8]), pb = __cvta_generic_to_shared(&b[s][t % 16][0]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        load(s ^ 1, k0 + 16);
    }
    for (int i = 0; i < 4; ++i) { int r = r0 + g + i / 2 * 8, c = c0 + 2 * q + i % 2; if (r < M && c < N) C[r * N + c] = d[i]; }
}
LAUNCH(.block = {32}, .tile = {8, 16});
