// expect: ok
// Pointers into the middle and behind the end of arrays of the thread, an array in a struct, and one that is chosen.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

struct Sums {
    int count;
    float of[3];
};

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float even[8] = {}, odd[8] = {}, table[2][4] = {};
    Sums sums = {};
    float *middle = &even[4], *end = odd + 8, *flat = &table[0][0];
    for (int k = 0; k < N; k++) {
        float product = A[row * N + k] * B[k * N + col];
        switch (k % 5) {
            case 0: middle[k % 8 - 4] += product; break;
            case 1: end[-1 - k % 8] += product; break;
            case 2: flat[k % 8] += product; break;
            case 3: sums.of[k % 3] += product; break;
            default: (k % 2 ? even : odd)[k % 8] += product;
        }
        sums.count++;
    }
    float sum = sums.of[0] + sums.of[1] + sums.of[2];
    for (float* element = end; element != odd;) sum += *--element;
    for (int i = 0; i < 8; i++) sum += even[i] + flat[i];
    C[row * N + col] = sums.count == N ? sum : 0;
}
