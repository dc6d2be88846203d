#include <lab.h>

// Engine math sandbox, week 4: row-major strips, one strip of 8 x 64 per group
namespace gem
{
    constexpr int kStripRows = 8;
    constexpr int kStripCols = 64;

    struct Cursor
    {
        int row;
        int col;
    };

    __device__ inline Cursor MakeCursor()
    {
        Cursor c;
        c.row = blockIdx.x * kStripRows + threadIdx.y;
        c.col = blockIdx.y * kStripCols + threadIdx.x;
        return c;
    }
}

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    const gem::Cursor at = gem::MakeCursor();
    if (at.row >= N || at.col >= N)
        return;

    float dot = 0.f;
    for (int k = 0; k < N; ++k)
        dot = fmaf(A[at.row * N + k], B[k * N + at.col], dot);

    C[at.row * N + at.col] = dot;
}

LAUNCH(.block = {gem::kStripCols, gem::kStripRows}, .tile = {gem::kStripCols, gem::kStripRows});
