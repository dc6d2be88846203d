// expect: ok
// Members that are arrays of pointers, of stages and of objects with an operator; ends of arrays; objects with effects.
#include <lab.h>

#define T 16
#define NEXT_STAGE (*next++)

struct Stage {
    float a[T][T], b[T][T];
};

class Row
{
    const float *first;

public:
    __device__ explicit Row(const float *start = nullptr) : first(start) {}
    __device__ float operator[](int column) const { return first[column]; }
};

struct Pipeline {
    const float *matrices[2];
    Stage *stages[2];
    float (*tiles[2])[T];
    Row rows[T];
    __device__ float product(const float *x, const float *y) const
    {
        float matrices[4], rows[4], sum = 0;
        for (int i = 0; i < 4; ++i) {
            matrices[i] = x[i];
            rows[i] = y[i * T];
        }
        for (int i = 0; i < 4; ++i)
            sum += matrices[i] * rows[i];
        return sum;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage memory[2];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, turn = 1;
    Pipeline pipeline{{A, B}, {memory, memory + 1}, {memory[0].a, memory[1].a}};
    for (int i = 0; i < T; ++i)
        pipeline.rows[i] = Row(memory[0].b[i]);
    Stage *next = memory;
    NEXT_STAGE.a[y][x] = 0;
    NEXT_STAGE.b[y][x] = 0;
    const float *end = next == memory + 2 ? &(memory[0].a[T - 1][T]) : nullptr;
    float sum = 0;
    for (int first = 0; first < N; first += T) {
        memory[turn ^= 1].a[y][x] = row < N && first + x < N ? pipeline.matrices[0][row * N + first + x] : 0;
        pipeline.stages[turn][0].b[y][x] = first + y < N && col < N ? pipeline.matrices[1][(first + y) * N + col] : 0;
        __syncthreads();
        if (turn == 0 && &pipeline.tiles[0][y][T] <= end)
            for (int k = 0; k < T; ++k)
                sum += pipeline.tiles[0][y][k] * pipeline.rows[k][x];
        else
            for (int k = 0; k < T; k += 4)
                sum += pipeline.product(&memory[turn].a[y][k], &memory[turn].b[k][x]);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
