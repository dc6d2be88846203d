// expect: ok
// Classes with members for host and device, operators, and a virtual function that only the host calls.
#include <cassert>
#include <ostream>

class View {
public:
    __host__ __device__ View(const float *data, int n) : data_(data), n_(n) {}
    __host__ __device__ float operator()(int row, int col) const { return data_[row * n_ + col]; }
    __host__ __device__ bool contains(int row, int col) const { return row < n_ && col < n_; }
    __host__ __device__ int size() const { return n_; }

private:
    const float *data_;
    int n_;
};

template <class Accumulator>
class Product {
public:
    __device__ explicit Product(View a, View b) : a_(a), b_(b) {}
    __device__ Accumulator at(int row, int col) const
    {
        Accumulator sum = 0;
        for (int k = 0; k < a_.size(); ++k)
            sum += a_(row, k) * b_(k, col);
        return sum;
    }

private:
    View a_, b_;
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    const View a(A, N), b(B, N);
    if (a.contains(row, col))
        C[row * N + col] = Product<float>(a, b).at(row, col);
}

class Matrix {
public:
    explicit Matrix(int n) : n_(n) { cudaMallocManaged(&data_, sizeof(float) * n * n); }
    Matrix(const Matrix &) = delete;
    virtual ~Matrix() { cudaFree(data_); }
    virtual void print(std::ostream &out) const { out << n_; }
    friend std::ostream &operator<<(std::ostream &out, const Matrix &m) { return m.print(out), out; }
    float *data() { return data_; }

private:
    int n_;
    float *data_ = nullptr;
};

int main()
{
    Matrix a(64), b(64), c(64);
    matmul<<<dim3(4, 4), dim3(16, 16)>>>(a.data(), b.data(), c.data(), 64);
    assert(cudaDeviceSynchronize() == cudaSuccess);
}
