#include <lab.h>

class Matrix {
public:
    __device__ Matrix(const float *p, int n) : data(p), n(n) {}
    __device__ float operator()(long long i, long long j) const { return data[i * n + j]; }

private:
    const float *data;
    long long n;
};

class Result {
public:
    __device__ Result(float *p, int n) : data(p), n(n) {}
    __device__ bool contains(int i, int j) const { return i < n && j < n; }
    __device__ void set(int i, int j, float v) { data[(size_t)i * n + j] = v; }

private:
    float *data;
    int n;
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Matrix a(A, N), b(B, N);
    Result c(C, N);
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (c.contains(i, j)) {
        float s = 0;
        for (int k = 0; k < N; ++k)
            s += a(i, k) * b(k, j);
        c.set(i, j, s);
    }
}

LAUNCH(.block = {128}, .tile = {128, 1});
