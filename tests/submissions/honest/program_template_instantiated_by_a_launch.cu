// expect: ok
// A template that only the launch in main instantiates.
#include <iostream>

template <typename T, int TILE>
__global__ void matmul(const T *a, const T *b, T *c, int n)
{
    __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    T sum{};
    for (int start = 0; start < n; start += TILE) {
        as[threadIdx.y][threadIdx.x] = y < n && start + threadIdx.x < n ? a[y * n + start + threadIdx.x] : T{};
        bs[threadIdx.y][threadIdx.x] = x < n && start + threadIdx.y < n ? b[(start + threadIdx.y) * n + x] : T{};
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n)
        c[y * n + x] = sum;
}

template <typename T>
void multiply(const T *a, const T *b, T *c, int n)
{
    constexpr int TILE = 16;
    const dim3 threads{TILE, TILE}, blocks((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    matmul<T, TILE><<<blocks, threads>>>(a, b, c, n);
}

int main()
{
    float *a, *b, *c;
    const int n = 512;
    for (float **p : {&a, &b, &c})
        cudaMallocManaged(p, n * n * sizeof(float));
    multiply(a, b, c, n);
    std::cout << cudaGetErrorString(cudaDeviceSynchronize()) << '\n';
}
