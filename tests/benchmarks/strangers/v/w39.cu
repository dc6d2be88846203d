#include <lab.h>
#include <cuda_pipeline.h>

// asynchronous copies, two stages
constexpr int T = 32;
constexpr int ROWS_PER_THREAD = 4;

struct Stage {
    float a[T][T];
    float b[T][T];
};

__device__ void issueStage(Stage &st, const float *A, const float *B, int r0, int c0, int k0, int N)
{
    for (int i = 0; i < ROWS_PER_THREAD; ++i) {
        int y = threadIdx.y + 8 * i;
        int x = threadIdx.x;
        if (r0 + y < N && k0 + x < N)
            __pipeline_memcpy_async(&st.a[y][x], &A[(r0 + y) * N + k0 + x], sizeof(float));
        else
            st.a[y][x] = 0.0f;
        if (k0 + y < N && c0 + x < N)
            __pipeline_memcpy_async(&st.b[y][x], &B[(k0 + y) * N + c0 + x], sizeof(float));
        else
            st.b[y][x] = 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stages[2];
    const int r0 = blockIdx.y * T, c0 = blockIdx.x * T;
    const int steps = (N + T - 1) / T;
    float acc[ROWS_PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};

    issueStage(stages[0], A, B, r0, c0, 0, N);
    __pipeline_commit();

    for (int s = 0; s < steps; ++s) {
        if (s + 1 < steps) {
            issueStage(stages[(s + 1) % 2], A, B, r0, c0, (s + 1) * T, N);
            __pipeline_commit();
        }
        // one group may still be in flight, it belongs to the next step
        __pipeline_wait_prior(1);
        __syncthreads();

        const Stage &st = stages[s % 2];
        for (int k = 0; k < T; ++k) {
            float b = st.b[k][threadIdx.x];
            for (int i = 0; i < ROWS_PER_THREAD; ++i)
                acc[i] += st.a[threadIdx.y + 8 * i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS_PER_THREAD; ++i) {
        int r = r0 + threadIdx.y + 8 * i, c = c0 + threadIdx.x;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {T, T / ROWS_PER_THREAD}, .tile = {T, T});
