// expect: ok
// Host code beside an honest kernel: a static constructor and a main that would run commands on the grader's machine.
#include <cstdlib>
#include <lab.h>

struct Intruder {
    Intruder() { system("id > intruder"); }
};

static Intruder intruder;

int main()
{
    return system("id >> intruder");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
