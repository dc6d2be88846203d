// Tiled: adds tiles in dynamic shared memory to naive.cu, as large as a block.
//
// Each element that is loaded is used 16 times: 4 FLOP per byte requested with float.
template <typename T>
__global__ void matmul_kernel(const T *A, const T *B, T *C, unsigned int n)
{
    extern __shared__ double tiles[];  // aligned for every type
    const unsigned int side = blockDim.x, y = threadIdx.y, x = threadIdx.x, own = y * side + x;
    const unsigned int row = blockIdx.y * side + y, col = blockIdx.x * side + x;
    T *const a = reinterpret_cast<T *>(tiles), *const b = a + side * side;

    T sum = 0;
    for (unsigned int first = 0; first < n; first += side) {
        a[own] = row < n && first + x < n ? A[row * n + first + x] : T(0);
        b[own] = first + y < n && col < n ? B[(first + y) * n + col] : T(0);
        __syncthreads();
        for (unsigned int k = 0; k < side; ++k)
            sum += a[y * side + k] * b[k * side + x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}
