#include <lab.h>

class View {
public:
    __device__ View(const float *data, int n, int r0, int c0) : data(data), n(n), r0(r0), c0(c0) {}
    __device__ float operator()(int r, int c) const
    {
        return r0 + r < n && c0 + c < n ? data[(r0 + r) * n + c0 + c] : 0.0f;
    }
    __device__ View right(int d) const { return View(data, n, r0, c0 + d); }
    __device__ View down(int d) const { return View(data, n, r0 + d, c0); }

private:
    const float *data;
    int n, r0, c0;
};

class Output {
public:
    struct Cell {
        float *p;
        __device__ void operator=(float v) const
        {
            if (p)
                *p = v;
        }
    };
    __device__ Output(float *data, int n) : data(data), n(n) {}
    __device__ Cell operator()(int r, int c) const { return Cell{r < n && c < n ? data + r * n + c : nullptr}; }

private:
    float *data;
    int n;
};

constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;

    View va(A, N, blockIdx.y * T, 0);
    View vb(B, N, 0, blockIdx.x * T);
    float sum = 0.0f;

    for (int left = N; left > 0; left -= T) {
        a[y][x] = va(y, x);
        b[y][x] = vb(y, x);
        __syncthreads();
        for (int k = 0; k < min(T, left); ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
        va = va.right(T);
        vb = vb.down(T);
    }

    Output(C, N)(blockIdx.y * T + y, blockIdx.x * T + x) = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
