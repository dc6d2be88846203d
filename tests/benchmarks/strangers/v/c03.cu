// Persistent blocks with a global ticket counter. The last block to finish resets the counters
// for the next launch. Tickets walk through C boustrophedon (every other line backwards).
#include <lab.h>

#define T 32
#define H 8

struct Queue {
    unsigned int next, done;
};
__device__ Queue queue;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    __shared__ unsigned int ticket;

    const int x = threadIdx.x, y = threadIdx.y;
    const unsigned int side = (N + T - 1) / T;

    while (true) {
        __syncthreads();   // everybody has read the previous ticket
        if (x == 0 && y == 0)
            ticket = atomicAdd(&queue.next, 1u);
        __syncthreads();
        if (ticket >= side * side)
            break;
        const unsigned int tr = ticket / side, rest = ticket % side;
        const unsigned int tc = tr & 1 ? side - 1 - rest : rest;
        const int row = tr * T + y, col = tc * T + x;

        float acc[T / H] = {};
        for (int k0 = 0; k0 < N; k0 += T) {
            for (int i = 0; i < T; i += H) {
                As[y + i][x] = row + i < N && k0 + x < N ? A[(row + i) * N + k0 + x] : 0.0f;
                Bs[y + i][x] = k0 + y + i < N && col < N ? B[(k0 + y + i) * N + col] : 0.0f;
            }
            __syncthreads();
            for (int k = 0; k < T; ++k)
                for (int i = 0; i < T / H; ++i)
                    acc[i] += As[y + i * H][k] * Bs[k][x];
            __syncthreads();
        }
        for (int i = 0; i < T / H; ++i)
            if (row + i * H < N && col < N)
                C[(row + i * H) * N + col] = acc[i];
    }

    if (x == 0 && y == 0 && atomicAdd(&queue.done, 1u) == gridDim.x * gridDim.y - 1) {
        // all other blocks have drawn their last ticket
        atomicExch(&queue.next, 0u);
        atomicExch(&queue.done, 0u);
    }
}

LAUNCH(.block = {T, H}, .tile = {3 * T, 2 * T});
