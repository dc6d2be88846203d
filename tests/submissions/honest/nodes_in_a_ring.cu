// expect: ok
// Partial sums in three local nodes that point to each other in a ring.
#include <lab.h>
struct Node { float v[3]; Node *next; };
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;
    Node a = {{0, 0, 0}, nullptr}, b = {{0, 0, 0}, &a}, c = {{0, 0, 0}, &b};
    a.next = &c; Node *n = &a;
    for (int k = 0; k < N; ++k) { n->v[k % 3] += A[row * N + k] * B[k * N + col]; n = n->next; }
    float s = 0; n = &c; for (int j = 0; j < 3; ++j, n = n->next) for (int i = 0; i < 3; ++i) s += n->v[i];
    C[row * N + col] = s;
}
