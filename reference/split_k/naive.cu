// Naive: each of four slices along z has a part of the terms of every sum, and a second kernel adds the four parts.
//
// 2 FLOP for each pair of loads: 0.25 FLOP per byte requested, and less with the partial sums.
__global__ void partial_sums(const float *A, const float *B, float *partial, int N, int slices)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = blockIdx.z; k < N; k += slices)
        sum += A[row * N + k] * B[k * N + col];
    partial[(blockIdx.z * N + row) * N + col] = sum;
}

__global__ void add_slices(const float *partial, float *C, int N, int slices)
{
    const int element = blockIdx.x * blockDim.x + threadIdx.x;
    if (element >= N * N)
        return;
    float sum = 0.0f;
    for (int slice = 0; slice < slices; ++slice)
        sum += partial[slice * N * N + element];
    C[element] = sum;
}
