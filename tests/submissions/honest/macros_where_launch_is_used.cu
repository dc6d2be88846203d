// expect: ok
// Its macros have the names of lab.h, and are still defined where it uses LAUNCH.
#include <lab.h>

#define LabLaunch Setup
#define lab_launch setup
#define LabGridX int
#define ROWS 4
#define COLUMNS 64

struct LabLaunch {
    int rows, columns;
};

__constant__ LabLaunch lab_launch = {ROWS, COLUMNS};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, LabGridX N)
{
    LabGridX row = blockIdx.y * lab_launch.rows + threadIdx.y;
    LabGridX col = blockIdx.x * lab_launch.columns + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {COLUMNS, ROWS}, .tile = {COLUMNS, ROWS});
