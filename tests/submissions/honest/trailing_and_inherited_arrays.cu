// expect: ok; sizes: 33, 68
// An array of one element stands for the rest of the memory; tiles have functions, bases and types of 16 bits.
#include <lab.h>
#include <cuda_fp16.h>
struct Buf { int n; float data[1]; };
#define EL(b, i) (b)->data[i]
template <int T, class V> struct Tile { V v[T][T]; __device__ V& at(int y, int x) { return v[y][x]; } __device__ const V& operator()(int y, int x) const { return this->v[y][x]; } };
template <int T> struct Both : Tile<T, float> { Tile<T, __half> h; float pad[4]; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ __align__(16) unsigned char raw[];
    Buf *b = reinterpret_cast<Buf *>(raw);
    __shared__ Both<16> both;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int f = 0; f < N; f += 16) {
        EL(b, ty * 16 + tx) = row < N && f + tx < N ? A[row * N + f + tx] : 0;
        both.at(ty, tx) = col < N && f + ty < N ? B[(f + ty) * N + col] : 0;
        both.h.v[ty][tx] = __float2half(0.f);
        if (tx < 4 && ty == 0) both.pad[tx] = 1.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += b->data[ty * 16 + k] * both(k, tx) * both.pad[k % 4] + __half2float(both.h(k, tx));
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16}, .shared = 16 + 1024 + 64);
