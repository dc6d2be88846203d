#include <lab.h>
#define BS 16

typedef struct {
    float a[BS][BS];
    float b[BS][BS];
} Stage;

__device__ void hamta(Stage *st, const float *A, const float *B, int rad, int kol, int k0, int N)
{
    int x = threadIdx.x, y = threadIdx.y;
    st->a[y][x] = (rad < N && k0 + x < N) ? A[rad * N + k0 + x] : 0.0f;
    st->b[y][x] = (k0 + y < N && kol < N) ? B[(k0 + y) * N + kol] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stage[2];
    int rad = blockIdx.y * BS + threadIdx.y;
    int kol = blockIdx.x * BS + threadIdx.x;
    int cur = 0;
    float summa = 0.0f;

    hamta(&stage[0], A, B, rad, kol, 0, N);
    __syncthreads();

    for (int k0 = 0; k0 < N; k0 += BS) {
        int nxt = cur;
        float del = 0.0f;
        for (int k = 0; k < BS; k++)
            del += stage[cur].a[threadIdx.y][k] * stage[cur].b[k][threadIdx.x];
        if (k0 + BS < N)
            hamta(&stage[nxt], A, B, rad, kol, k0 + BS, N);
        summa += del;
        __syncthreads();
        cur = nxt;
    }

    if (rad < N && kol < N)
        C[rad * N + kol] = summa;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
