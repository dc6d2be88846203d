// expect: ok
// The kernel lies in a nested namespace, its helpers in an anonymous one, and main brings them in.
#include <iostream>
using namespace std;

namespace {
constexpr int kTile = 16;
__device__ __forceinline__ bool inside(int i, int n) { return i < n; }
inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
}  // namespace

namespace course::gemm {
inline namespace v2 {
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * kTile + threadIdx.y, j = blockIdx.x * kTile + threadIdx.x;
    if (!inside(i, N) || !inside(j, N))
        return;
    double sum = 0;
    for (int k = 0; k != N; ++k)
        sum += static_cast<double>(A[i * N + k]) * B[k * N + j];
    C[i * N + j] = static_cast<float>(sum);
}
}  // namespace v2
}  // namespace course::gemm

int main()
{
    float *a = nullptr, *b = nullptr, *c = nullptr;
    int n;
    cin >> n;
    course::gemm::matmul<<<dim3(ceil_div(n, kTile), ceil_div(n, kTile)), dim3(kTile, kTile)>>>(a, b, c, n);
    cout << cudaDeviceSynchronize() << endl;
}
