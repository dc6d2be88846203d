// Tiles: a block loads tiles of A and B into shared memory, and a slice has neighbouring terms.
//
// 16 x 16 tiles: 4 FLOP per byte of A and B requested.
#define TILE 16

__global__ void partial_sums(const float *A, const float *B, float *partial, int N, int slices)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const int tiles = (N + TILE - 1) / TILE, share = (tiles + slices - 1) / slices;
    const int first = blockIdx.z * share, end = min(first + share, tiles);
    float sum = 0.0f;
    for (int tile = first; tile < end; ++tile) {
        const int left = tile * TILE + x, top = tile * TILE + y;
        a[y][x] = row < N && left < N ? A[row * N + left] : 0.0f;
        b[y][x] = top < N && col < N ? B[top * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
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
