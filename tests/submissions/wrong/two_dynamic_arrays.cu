// expect: wrong-answer
// One dynamic array for each operand, although the launch has only one piece of dynamic shared memory.
#include <lab.h>

constexpr int SIDE = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float rows[];
    extern __shared__ float columns[];
    int x = threadIdx.x, y = threadIdx.y, here = y * SIDE + x;
    int row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += SIDE) {
        rows[here] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        columns[here] = first + y < N && column < N ? B[(first + y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < SIDE; k++)
            sum += rows[y * SIDE + k] * columns[k * SIDE + x];
        __syncthreads();
    }
    if (row < N && column < N)
        C[row * N + column] = sum;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE}, .shared = 2 * SIDE * SIDE * sizeof(float));
