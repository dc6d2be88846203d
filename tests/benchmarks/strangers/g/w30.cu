#include <lab.h>

namespace {

constexpr int BM = 64;   // rows of C per block
constexpr int BN = 32;   // columns of C per block
constexpr int BK = 16;
constexpr int TX = 16, TY = 16;

template <int ROWS_OF_C, int COLS_OF_C, int DEPTH>
__device__ void block_product(const float *A, const float *B, float *C, int N)
{
    constexpr int RM = ROWS_OF_C / TY;
    constexpr int RN = COLS_OF_C / TX;

    __shared__ float as[DEPTH][ROWS_OF_C];
    __shared__ float bs[DEPTH][COLS_OF_C];

    const int id = threadIdx.y * TX + threadIdx.x;
    const int row0 = blockIdx.y * ROWS_OF_C;
    const int col0 = blockIdx.x * COLS_OF_C;

    float acc[RM][RN] = {};

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int e = id; e < ROWS_OF_C * DEPTH; e += TX * TY) {
            int r = e / DEPTH, k = e % DEPTH;
            as[k][r] = row0 + r < N && k0 + k < N ? A[(row0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = id; e < COLS_OF_C * DEPTH; e += TX * TY) {
            int k = e / COLS_OF_C, c = e % COLS_OF_C;
            bs[k][c] = k0 + k < N && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k)
            for (int i = 0; i < RM; ++i)
                for (int j = 0; j < RN; ++j)
                    acc[i][j] += as[k][threadIdx.y + i * TY] * bs[k][threadIdx.x + j * TX];
        __syncthreads();
    }

    for (int i = 0; i < RM; ++i)
        for (int j = 0; j < RN; ++j) {
            int r = row0 + threadIdx.y + i * TY;
            int c = col0 + threadIdx.x + j * TX;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

}  // namespace

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    block_product<BN, BM, BK>(A, B, C, N);
}

LAUNCH(.block = {TX, TY}, .tile = {BN, BM});
