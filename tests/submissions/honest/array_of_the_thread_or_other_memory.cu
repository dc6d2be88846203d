// expect: ok
// Pointers that are the address of one array of the thread, or come from global memory, memory or another lane.
#include "lab.h"

LAUNCH(.block = {32, 8}, .tile = {32, 8});

struct Node {
    float sums[3];
    Node* next;
};

__device__ float total(const float* sums, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum += sums[i];
    return sum;
}

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x, inside = min(col, N - 1);
    if (row >= N)
        return;
    float zeros[4] = {}, first[4] = {}, second[6] = {}, third[8] = {}, fourth[4] = {};
    float* later[2] = {second, third};
    Node one = {}, two = {};
    one.next = &two;
    two.next = &one;
    Node* node = &one;
    for (int k = 0; k < N; k++) {
        const float* left = k % 5 == 4 ? zeros : A + row * N;
        float product = left[k % 5 == 4 ? k % 4 : k] * B[k * N + inside];
        float* of_lane = threadIdx.x % 2 ? third : fourth;
        float* shuffled = (float*)__shfl_sync(~0u, (unsigned long long)of_lane, k % 32);
        switch (k % 3) {
            case 0: (k % 7 ? first : later[k % 2])[k % 4] += product; break;
            case 1: (k % 7 ? first : shuffled)[k % 4] += product; break;
            default: node->sums[k % 3] += product; node = node->next;
        }
        if (k % 5 == 4)
            first[k % 4] += A[row * N + k] * B[k * N + inside];
    }
    if (col < N)
        C[row * N + col] = total(first, 4) + total(second, 6) + total(third, 8) + total(fourth, 4) +
                           total(one.sums, 3) + total(two.sums, 3);
}
