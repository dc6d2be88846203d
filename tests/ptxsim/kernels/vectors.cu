// One warp-wide row of four columns a thread; N is a multiple of 4.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < N; ++k) {
        float4 b = *reinterpret_cast<const float4 *>(&B[k * N + col]);
        float a = A[row * N + k];
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }
    *reinterpret_cast<float4 *>(&C[row * N + col]) = sum;
}
