// expect: data-race
// Finds out by the text of an expression whether member arrays are compared with their bounds, and has barriers only then.
#include <lab.h>

#define T 16
#define TEXT(...) #__VA_ARGS__
#define IS_COMPARED (sizeof(TEXT_OF(tiles.a[0])) > 12)
#define TEXT_OF(...) TEXT(__VA_ARGS__)

struct Tiles {
    float a[T][T], b[T][T];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles tiles;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int first = 0; first < N; first += T) {
        tiles.a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0;
        tiles.b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += tiles.a[y][k] * tiles.b[k][x];
        if (IS_COMPARED)
            __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
