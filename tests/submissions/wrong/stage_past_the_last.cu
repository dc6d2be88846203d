// expect: wrong-answer; says: at the index at which it was stored / in shared memory where line 32 stored
// Two stages in one struct of templates: the step of the other operand counts from one, so its last row is missing and
// its first one is read before the array, in the last row of the tile that stands before it.
#include <lab.h>

constexpr int SIDE = 16;

template <int ROWS, int COLUMNS>
struct Tile {
    float values[ROWS][COLUMNS];
    __device__ void set(int row, int column, float value)
    {
        values[row][column] = value;
    }
    __device__ float get(int row, int column) const { return values[row - 1][column]; }
};

struct Stage {
    float a[SIDE][SIDE];
    Tile<SIDE, SIDE> b;
};

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ char memory[];
    Stage *stages = reinterpret_cast<Stage *>(memory);
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x, current = 0;
    float sum = 0;
    for (int first = 0; first < N; first += SIDE, current ^= 1) {
        Stage &stage = stages[current];
        stage.a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0;
        stage.b.set(y, x, first + y < N && col < N ? B[(first + y) * N + col] : 0);
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += stage.a[y][k] * stage.b.get(k, x);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE, SIDE}, .shared = 2 * sizeof(Stage));
