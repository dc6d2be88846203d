// expect: ok
// The tile of A is stored transposed, so that a thread reads four of its rows as one float4.
#include <lab.h>

#define TILE 32
#define EACH 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[TILE][TILE + EACH];  // [k][row]
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * TILE, col = blockIdx.x * TILE + tx;

    float4 sum = make_float4(0, 0, 0, 0);
    for (int first = 0; first < N; first += TILE) {
        for (int y = ty; y < TILE; y += TILE / EACH) {
            As[tx][y] = row0 + y < N && first + tx < N ? A[(row0 + y) * N + first + tx] : 0.0f;
            Bs[y][tx] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float4 a = *reinterpret_cast<float4 *>(&As[k][ty * EACH]);
            float b = Bs[k][tx];
            sum.x += a.x * b, sum.y += a.y * b, sum.z += a.z * b, sum.w += a.w * b;
        }
        __syncthreads();
    }
    const float results[EACH] = {sum.x, sum.y, sum.z, sum.w};
    for (int i = 0; i < EACH; ++i)
        if (row0 + ty * EACH + i < N && col < N)
            C[(row0 + ty * EACH + i) * N + col] = results[i];
}

LAUNCH(.block = {TILE, TILE / EACH}, .tile = {TILE, TILE});
