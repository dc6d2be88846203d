// expect: ok
// A modern C++ program: vectors, random numbers, lambdas, chrono, smart pointers.
#include <algorithm>
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

struct DeviceFree {
    void operator()(float *p) const { cudaFree(p); }
};
using DeviceBuffer = std::unique_ptr<float[], DeviceFree>;

DeviceBuffer make_buffer(std::size_t count)
{
    float *p = nullptr;
    if (auto status = cudaMalloc(&p, count * sizeof *p); status != cudaSuccess)
        throw std::runtime_error(std::string("cudaMalloc: ") + cudaGetErrorString(status));
    return DeviceBuffer{p};
}

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto dot = [=](int row, int col) {
        float sum = 0;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        return sum;
    };
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = dot(row, col);
}

int main(int argc, char *argv[])
try {
    const int n = argc > 1 ? std::stoi(argv[1]) : 777;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    std::mt19937 engine{std::random_device{}()};
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::generate(a.begin(), a.end(), std::bind(uniform, std::ref(engine)));
    std::iota(b.begin(), b.end(), 0.0f);
    auto A = make_buffer(a.size()), B = make_buffer(b.size()), C = make_buffer(c.size());
    cudaMemcpy(A.get(), a.data(), a.size() * sizeof(float), cudaMemcpyDefault);
    const auto began = std::chrono::high_resolution_clock::now();
    matmul<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(A.get(), B.get(), C.get(), n);
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> took = std::chrono::high_resolution_clock::now() - began;
    std::cout << std::fixed << std::setprecision(3) << took.count() << " ms\n";
} catch (const std::exception &error) {
    std::cerr << error.what() << std::endl;
    return EXIT_FAILURE;
}
