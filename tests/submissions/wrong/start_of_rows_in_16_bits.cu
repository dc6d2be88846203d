// expect: wrong-answer; says: 16 bits
// The starts of the rows of A are kept in 16 bits, and those from 65536 on begin at the first row again.
#include <lab.h>

constexpr int SIDE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[SIDE][SIDE], b[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    unsigned short start = row * N;
    float sum = 0;
    for (int first = 0; first < N; first += SIDE) {
        a[y][x] = row < N && first + x < N ? A[start + first + x] : 0;
        b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
