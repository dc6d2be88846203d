// expect: ok
// stmatrix passes a row of A to all lanes: none of them goes on before all have executed it, as with a shuffle.
#include <lab.h>

#define COLUMNS 32
#define ROWS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float words[ROWS][COLUMNS];
    int lane = threadIdx.x, row = blockIdx.y * ROWS + threadIdx.y, col = blockIdx.x * COLUMNS + lane;
    float *own = words[threadIdx.y];
    // Rows of 16 bytes, of which four lanes hold four bytes each: word n comes from lane n.
    unsigned to = (unsigned)__cvta_generic_to_shared(own + lane % 8 * 4);
    float sum = 0.0f;
    for (int first = 0; first < N; first += COLUMNS) {
        float a = row < N && first + lane < N ? A[row * N + first + lane] : 0.0f;
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(to), "r"(__float_as_uint(a)) : "memory");
        for (int k = 0; k < COLUMNS; ++k)
            if (first + k < N && col < N)
                sum += own[k] * B[(first + k) * N + col];
        __syncwarp();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {COLUMNS, ROWS}, .tile = {COLUMNS, ROWS});
