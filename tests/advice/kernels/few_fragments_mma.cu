// lab: tensor_cores
// Too few fragments per warp, with mma.sync in PTX: a warp computes one of 16 x 8. The twin computes 2 x 4 of them.
#include <cuda_fp16.h>
#include <lab.h>

#ifdef FIXED
constexpr int DOWN = 2, ACROSS = 4;  // fragments of C of a warp
#else
constexpr int DOWN = 1, ACROSS = 1;
#endif
constexpr int ROWS = 16, COLUMNS = 8, OCTET = 8, DEPTH = 32, WARPS = 8;
constexpr int HIGH = 2 * DOWN * ROWS, WIDE = 4 * ACROSS * COLUMNS, THREADS = WARPS * 32;

__device__ void fill(half *to, const half *from, bool inside)
{
    const uint4 zeros = {};
    *reinterpret_cast<uint4 *>(to) = inside ? *reinterpret_cast<const uint4 *>(from) : zeros;
}

__device__ void load_a(unsigned (&a)[4], const half *row)
{
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(at));
}

__device__ void load_b(unsigned (&b)[2], const half *row)
{
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(at));
}

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) half As[HIGH][DEPTH + OCTET], Bs[DEPTH][WIDE + OCTET];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int first_row = blockIdx.y * HIGH, first_col = blockIdx.x * WIDE;
    const int my_row = warp / 4 * DOWN * ROWS, my_col = warp % 4 * ACROSS * COLUMNS;
    float sum[DOWN][ACROSS][4] = {};
    for (int first = 0; first < K; first += DEPTH) {
        for (int i = threadIdx.x; i < HIGH * DEPTH / OCTET; i += THREADS) {
            const int row = i / (DEPTH / OCTET), k = i % (DEPTH / OCTET) * OCTET;
            fill(&As[row][k], &A[(first_row + row) * K + first + k], first_row + row < M && first + k < K);
        }
        for (int i = threadIdx.x; i < WIDE * DEPTH / OCTET; i += THREADS) {
            const int k = i / (WIDE / OCTET), col = i % (WIDE / OCTET) * OCTET;
            fill(&Bs[k][col], &B[(first + k) * N + first_col + col], first + k < K && first_col + col < N);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            unsigned a[DOWN][4], b[ACROSS][2];
#pragma unroll
            for (int i = 0; i < DOWN; ++i)
                load_a(a[i], &As[my_row + i * ROWS + lane % 16][k + lane / 16 * OCTET]);
#pragma unroll
            for (int j = 0; j < ACROSS; ++j)
                load_b(b[j], &Bs[k + lane % 16][my_col + j * COLUMNS]);
#pragma unroll
            for (int i = 0; i < DOWN * ACROSS; ++i)
                multiply(sum[i / ACROSS][i % ACROSS], a[i / ACROSS], b[i % ACROSS]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int row = first_row + my_row + i / ACROSS * ROWS + lane / 4 + e / 2 * 8;
            const int col = first_col + my_col + i % ACROSS * COLUMNS + lane % 4 * 2 + e % 2;
            if (row < M && col < N)
                C[row * N + col] = sum[i / ACROSS][i % ACROSS][e];
        }
}

LAUNCH(.block = {THREADS}, .tile = {WIDE, HIGH});
