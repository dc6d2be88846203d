// Tiles in shared memory: a block loads 32 x 32 elements of A and 32 x 8 of B at a time, and uses each 8 or 32 times.
//
// 512 FLOP for five loads of a warp, of 256 bytes each: 1.6 FLOP per byte requested.
#define ROWS_OF_C 32
#define COLUMNS_OF_C 8
#define TERMS 32

__global__ void square_dgemm(unsigned M, const double *A, const double *B, double *C)
{
    __shared__ double a[TERMS][ROWS_OF_C], b[COLUMNS_OF_C][TERMS];
    const unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * ROWS_OF_C + x,
                   col = blockIdx.y * COLUMNS_OF_C + y;
    double sum = 0.0;
    for (unsigned first = 0; first < M; first += TERMS) {
        for (unsigned k = y; k < TERMS; k += COLUMNS_OF_C)
            a[k][x] = row < M && first + k < M ? A[(first + k) * M + row] : 0.0;
        b[y][x] = first + x < M && col < M ? B[col * M + first + x] : 0.0;
        __syncthreads();
        for (unsigned k = 0; k < TERMS; ++k)
            sum += a[k][x] * b[y][k];
        __syncthreads();
    }
    if (row < M && col < M)
        C[col * M + row] += sum;
}
