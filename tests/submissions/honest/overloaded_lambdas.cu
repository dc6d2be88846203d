// expect: ok
// Generic lambdas, and a class that is made of two of them.
#include <lab.h>

template <class F> __device__ void for_each(int n, F f)
{
    for (int i = 0; i < n; ++i)
        f(i);
}
template <class... Fs> struct overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> overloaded(Fs...) -> overloaded<Fs...>;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;

    if (row >= N || col >= N)
        return;
    auto at = [=](auto *p, int r, int c) -> auto & { return p[r * N + c]; };
    float s = 0;
    auto add = overloaded{[&](float x) { s += x; }, [&](int k) { s += at(A, row, k) * at(B, k, col); }};
    for_each(N, [&](int k) { add(k); });
    if constexpr (sizeof(float) == 4)
        at(C, row, col) = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
