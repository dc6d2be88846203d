// expect: ok
// A whole program in the style of a course library: its macros are copied into the file, its header is not included.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define wbLog(level, ...) do { printf("[%s] ", #level); printf(__VA_ARGS__); printf("\n"); } while (0)
#define wbCheck(stmt)                                                    \
    do {                                                                 \
        cudaError_t err = stmt;                                          \
        if (err != cudaSuccess) {                                        \
            wbLog(ERROR, "Failed to run stmt %s", #stmt);                \
            wbLog(ERROR, "Got CUDA error %s", cudaGetErrorString(err));  \
            return -1;                                                   \
        }                                                                \
    } while (0)

#define TILE_WIDTH 16

__global__ void matmul(float *A, float *B, float *C, int numColumns)
{
    //@@ Insert code to implement matrix multiplication here
    __shared__ float subTileA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float subTileB[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty, Col = blockIdx.x * TILE_WIDTH + tx;
    float Pvalue = 0;
    for (int m = 0; m < (numColumns - 1) / TILE_WIDTH + 1; ++m) {
        subTileA[ty][tx] =
            Row < numColumns && m * TILE_WIDTH + tx < numColumns ? A[Row * numColumns + m * TILE_WIDTH + tx] : 0.0f;
        subTileB[ty][tx] =
            Col < numColumns && m * TILE_WIDTH + ty < numColumns ? B[(m * TILE_WIDTH + ty) * numColumns + Col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += subTileA[ty][k] * subTileB[k][tx];
        __syncthreads();
    }
    if (Row < numColumns && Col < numColumns)
        C[Row * numColumns + Col] = Pvalue;
}

static float *wbImport(const char *file, int *numRows, int *numColumns)
{
    FILE *input = fopen(file, "r");
    if (!input || fscanf(input, "%d %d", numRows, numColumns) != 2)
        exit(1);
    float *data = (float *)malloc(sizeof(float) * *numRows * *numColumns);
    for (int i = 0; i < *numRows * *numColumns; ++i)
        if (fscanf(input, "%f", &data[i]) != 1)
            exit(1);
    fclose(input);
    return data;
}

int main(int argc, char **argv)
{
    int numARows, numAColumns, numBRows, numBColumns;
    float *deviceA, *deviceB, *deviceC;
    if (argc < 3)
        return 1;
    float *hostA = wbImport(argv[1], &numARows, &numAColumns);
    float *hostB = wbImport(argv[2], &numBRows, &numBColumns);
    size_t bytes = sizeof(float) * numARows * numAColumns;
    float *hostC = (float *)malloc(bytes);
    wbCheck(cudaMalloc((void **)&deviceA, bytes));
    wbCheck(cudaMalloc((void **)&deviceB, bytes));
    wbCheck(cudaMalloc((void **)&deviceC, bytes));
    wbCheck(cudaMemcpy(deviceA, hostA, bytes, cudaMemcpyHostToDevice));
    wbCheck(cudaMemcpy(deviceB, hostB, bytes, cudaMemcpyHostToDevice));
    dim3 DimGrid((numBColumns - 1) / TILE_WIDTH + 1, (numARows - 1) / TILE_WIDTH + 1, 1);
    dim3 DimBlock(TILE_WIDTH, TILE_WIDTH, 1);
    matmul<<<DimGrid, DimBlock>>>(deviceA, deviceB, deviceC, numAColumns);
    wbCheck(cudaDeviceSynchronize());
    wbCheck(cudaMemcpy(hostC, deviceC, bytes, cudaMemcpyDeviceToHost));
    cudaFree(deviceA), cudaFree(deviceB), cudaFree(deviceC);
    free(hostA), free(hostB), free(hostC);
    return 0;
}
