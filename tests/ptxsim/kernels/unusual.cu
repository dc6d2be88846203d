// Spellings that students use: everything here is accepted by nvcc.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <lab.h>
#include <stdio.h>

#include <cmath>
#include <iostream>

using namespace std;

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

namespace lab {

struct Tile {
    float value[8][8 + 1];
};

__device__ __forceinline__ float clamp(float x, float low, float high) { return fmaxf(low, fminf(x, high)); }

template <typename T>
__device__ __noinline__ T multiply_add(T a, T b, T c) {
    return a * b + c;
}

}  // namespace lab

static __device__ const float one = 1.0f;

__global__ void __launch_bounds__(64, 2) matmul(float const *const __restrict__ A, const float *B, float *C, const size_t N) {
    static __shared__ lab::Tile As;
    __shared__ volatile float Bs[8][8];
    extern __shared__ unsigned char raw[];
    double *unused = reinterpret_cast<double *>(raw);
    const auto tx = threadIdx.x, ty = threadIdx.y;
    const unsigned col = blockIdx.x * blockDim.x + tx, row = blockIdx.y * blockDim.y + ty;
    float sum = 0;
    for (int t = 0; t < CEIL_DIV(static_cast<int>(N), 8); t++) {
        As.value[ty][tx] = row < N && 8 * t + tx < N ? A[row * N + 8 * t + tx] : 0.f;
        Bs[ty][tx] = col < N && 8 * t + ty < N ? B[(8 * t + ty) * N + col] : 0.f;
        __syncthreads();
#pragma unroll 4
        // every product of the tile
        for (int k = 0; k < min(8, 100); k++) sum = lab::multiply_add(As.value[ty][k], (float)Bs[k][tx], sum);
        __syncthreads();
    }
    if (unused == nullptr) return;
    if (row < N && col < N) C[row * N + col] = lab::clamp(sum, -1e30f, 1e30f) * one;
}

LAUNCH(.block = {8, 8}, .tile = {8, 8}, .shared = 64);
