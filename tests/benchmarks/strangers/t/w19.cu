#include <lab.h>

const int B_SIZE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float subA[B_SIZE][B_SIZE];
    __shared__ float subB_T[B_SIZE][B_SIZE + 1];   // kept transposed, padded against bank conflicts

    int r = threadIdx.y, c = threadIdx.x;
    int globalRow = blockIdx.y * B_SIZE + r;
    int globalCol = blockIdx.x * B_SIZE + c;
    float sum = 0.0f;

    int numTiles = (N + B_SIZE - 1) / B_SIZE;
    for (int tile = 0; tile < numTiles; tile++) {
        int aCol = tile * B_SIZE + c;
        int bRow = tile * B_SIZE + r;
        subA[r][c]   = (globalRow < N && aCol < N) ? A[globalRow * N + aCol] : 0.0f;
        subB_T[c][r] = (bRow < N && globalCol < N) ? B[bRow * N + globalCol] : 0.0f;
        __syncthreads();

        for (int k = 0; k < B_SIZE; k++) {
            sum += subA[r][k] * subB_T[k][c];
        }
        __syncthreads();
    }

    if (globalRow < N && globalCol < N) {
        C[globalRow * N + globalCol] = sum;
    }
}

#ifdef STANDALONE
#include <cstdio>
#include <cstdlib>
#include <vector>

// nvcc -DSTANDALONE, to try it at home
int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    size_t bytes = size_t(n) * n * sizeof(float);
    std::vector<float> h(size_t(n) * n, 1.0f);

    float *dA, *dB, *dC;
    cudaMalloc(&dA, bytes);
    cudaMalloc(&dB, bytes);
    cudaMalloc(&dC, bytes);
    cudaMemcpy(dA, h.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dB, h.data(), bytes, cudaMemcpyHostToDevice);

    dim3 threads(B_SIZE, B_SIZE);
    dim3 blocks((n + B_SIZE - 1) / B_SIZE, (n + B_SIZE - 1) / B_SIZE);
    matmul<<<blocks, threads>>>(dA, dB, dC, n);

    cudaMemcpy(h.data(), dC, bytes, cudaMemcpyDeviceToHost);
    for (float f : h) {
        if (f != n) {
            puts("wrong");
            return 1;
        }
    }
    puts("correct");
    return 0;
}
#endif

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});
