#include <lab.h>

// Engine math sandbox, week 2: generic dot product, strided views.

template <typename TElem>
class StridedView
{
public:
    __device__ StridedView(const TElem* base, int stride) : m_base(base), m_stride(stride) {}
    __device__ TElem operator[](int i) const { return m_base[i * m_stride]; }

private:
    const TElem* m_base;
    int          m_stride;
};

template <typename TAcc, typename TView>
__device__ TAcc Dot(const TView& lhs, const TView& rhs, int count)
{
    TAcc acc{};
    for (int i = 0; i < count; ++i)
        acc += lhs[i] * rhs[i];
    return acc;
}

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N || y >= N)
        return;

    const StridedView<float> rowView(A + y * N, 1);
    const StridedView<float> colView(B + x, N);
    C[y * N + x] = Dot<int>(rowView, colView, N);
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
