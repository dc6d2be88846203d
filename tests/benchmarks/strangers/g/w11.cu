#include <lab.h>

constexpr int P = 16;

// Software pipelining: the next tiles travel to registers while the present ones are multiplied.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_now[P][P];
    __shared__ float b_now[P][P];

    const int u = threadIdx.x;
    const int v = threadIdx.y;
    const int row = blockIdx.y * P + v;
    const int col = blockIdx.x * P + u;
    const int tiles = (N + P - 1) / P;

    // prologue
    a_now[v][u] = (row < N && u < N) ? A[row * N + u] : 0.0f;
    b_now[v][u] = (v < N && col < N) ? B[v * N + col] : 0.0f;
    __syncthreads();

    float acc = 0.0f;
    for (int t = 1; t < tiles; ++t) {
        const int ka = t * P + u;
        const int kb = t * P + v;
        const float a_next = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        const float b_next = (kb < N && col < N) ? B[kb * N + col] : 0.0f;

        for (int k = 0; k < P; ++k)
            acc += a_now[v][k] * b_now[k][u];
        __syncthreads();

        a_now[v][u] = a_next;
        b_now[v][u] = b_next;
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {P, P}, .tile = {P, P});
