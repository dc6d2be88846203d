// expect: ok; lab: tensor-cores
// B is copied transposed to shared memory and loaded as col_major; a warp computes 8 x 32 elements and scales by x[i].
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

#define ROWS 8
#define COLS 32
#define DEPTH 16

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[ROWS][DEPTH], Bs[COLS][DEPTH];
    __shared__ __align__(32) float Cs[COLS][ROWS];

    int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLS, lane = threadIdx.x;
    wmma::fragment<wmma::matrix_a, ROWS, COLS, DEPTH, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, ROWS, COLS, DEPTH, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, ROWS, COLS, DEPTH, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int k = 0; k < K; k += DEPTH) {
        for (int i = lane; i < ROWS * DEPTH; i += 32) {
            int row = first_row + i / DEPTH, col = k + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = row < M && col < K ? A[row * K + col] : half(0.0f);
        }
        for (int i = 0; i < DEPTH; ++i)
            Bs[lane][i] = k + i < K && first_col + lane < N ? B[(k + i) * N + first_col + lane] : half(0.0f);
        __syncwarp();
        wmma::load_matrix_sync(a, &As[0][0], DEPTH);
        wmma::load_matrix_sync(b, &Bs[0][0], DEPTH);
        for (int i = 0; i < a.num_elements; ++i)
            a.x[i] = __hmul(a.x[i], half(2.0f));
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }

    for (int i = 0; i < sum.num_elements; ++i)
        sum.x[i] *= 0.5f;
    wmma::store_matrix_sync(&Cs[0][0], sum, ROWS, wmma::mem_col_major);
    __syncwarp();
    for (int i = 0; i < ROWS; ++i)
        if (first_row + i < M && first_col + lane < N)
            C[(first_row + i) * N + first_col + lane] = Cs[lane][i];
}

LAUNCH(.block = {32}, .tile = {COLS, ROWS});
