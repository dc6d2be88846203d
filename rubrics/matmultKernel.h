// The header of the lab course_header: the sides of a block and of its part of C, and the type of a matrix.
#pragma once

#define BLOCK_SIZE 16      // threads along each side of a block
#define FOOTPRINT_SIZE 32  // elements of C along each side of what a block computes

// Element (row, column) is elements[row * stride + column].
typedef struct {
    int width;
    int height;
    int stride;
    float *elements;
} Matrix;

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C);
