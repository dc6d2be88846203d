#include <lab.h>

static const int TILE_SIZE = 16;

/** A view of a (sub)matrix. Reading outside the view returns 0. */
struct MatrixView {
    float *data;
    int stride;
    int numRows;
    int numCols;

    __device__ float get(int r, int c) const {
        if (r >= numRows || c >= numCols) {
            return 0.0f;
        }
        return data[r * stride + c];
    }

    __device__ void set(int r, int c, float value) {
        if (r < numRows && c < numCols) {
            data[r * stride + c] = value;
        }
    }

    /** View that starts at the tile (tileRow, tileCol) and goes to the end of the matrix. */
    __device__ MatrixView subView(int tileRow, int tileCol) const {
        MatrixView v;
        v.data = data + tileRow * TILE_SIZE * stride + tileCol;
        v.stride = stride;
        v.numRows = numRows - tileRow * TILE_SIZE;
        v.numCols = numCols - tileCol * TILE_SIZE;
        return v;
    }
};

__device__ MatrixView newMatrixView(const float *p, int n) {
    MatrixView v;
    v.data = const_cast<float *>(p);
    v.stride = n;
    v.numRows = n;
    v.numCols = n;
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float tileA[TILE_SIZE][TILE_SIZE];
    __shared__ float tileB[TILE_SIZE][TILE_SIZE];

    MatrixView a = newMatrixView(A, N);
    MatrixView b = newMatrixView(B, N);
    MatrixView c = newMatrixView(C, N);
    int r = threadIdx.y;
    int q = threadIdx.x;
    int numTiles = (N + TILE_SIZE - 1) / TILE_SIZE;

    float result = 0.0f;
    for (int t = 0; t < numTiles; t++) {
        tileA[r][q] = a.subView(blockIdx.y, t).get(r, q);
        tileB[r][q] = b.subView(t, blockIdx.x).get(r, q);
        __syncthreads();
        for (int k = 0; k < TILE_SIZE; k++) {
            result += tileA[r][k] * tileB[k][q];
        }
        __syncthreads();
    }
    c.set(blockIdx.y * TILE_SIZE + r, blockIdx.x * TILE_SIZE + q, result);
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE});
