#include <cstdio>
#include <lab.h>

// x runs over the rows, y over the columns, as on the blackboard: c(x, y)
#define ROWS_B 8
#define COLS_B 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tid = threadIdx.x;
    int x = blockIdx.x * ROWS_B + tid / COLS_B;
    int y = blockIdx.y * COLS_B + tid % COLS_B;

    if (x < N && y < N) {
        float c = 0.0f;
        for (int k = 0; k < N; ++k)
            c += A[x * N + k] * B[k * N + y];
        C[x * N + y] = c;
    }
}

int main()
{
    const int n = 512;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * n * sizeof(float));
    cudaMallocManaged(&b, n * n * sizeof(float));
    cudaMallocManaged(&c, n * n * sizeof(float));
    for (int e = 0; e < n * n; ++e) {
        a[e] = e % 7;
        b[e] = e % 5;
    }

    dim3 grid((n + ROWS_B - 1) / ROWS_B, (n + COLS_B - 1) / COLS_B);
    matmul<<<grid, ROWS_B * COLS_B>>>(a, b, c, n);
    cudaDeviceSynchronize();
    printf("c(0,0) = %f, c(n,n) = %f\n", c[0], c[n * n - 1]);
    return 0;
}

LAUNCH(.block = {ROWS_B * COLS_B}, .tile = {COLS_B, ROWS_B});
