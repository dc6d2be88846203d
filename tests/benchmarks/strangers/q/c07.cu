#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct Pane {
    float v[16][17];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Pane left, right;
    cg::thread_block me = cg::this_thread_block();

    unsigned i = me.thread_index().y, j = me.thread_index().x;
    unsigned row = me.group_index().y * 16 + i, col = me.group_index().x * 16 + j;
    unsigned n = N;
    double total = 0.0;

    for (unsigned base = 0; base < n; base += 16) {
        left.v[i][j] = 0.0f;
        right.v[i][j] = 0.0f;
        if (row < n && base + j < n)
            left.v[i][j] = A[row * n + base + j];
        if (base + i < n && col < n)
            right.v[i][j] = B[(base + i) * n + col];
        me.sync();
        float s = 0.0f;
        for (int k = 0; k < 16; k++)
            s += left.v[i][k] * right.v[k][j];
        total += s;
        me.sync();
    }

    if (row < n && col < n)
        C[row * n + col] = (float)total;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
