// The header of the lab course_header: the side of a tile, and an element of a square matrix.
#pragma once

constexpr int TILE = 16;

__device__ inline float element(const float *matrix, int row, int col, int n)
{
    return row < n && col < n ? matrix[row * n + col] : 0.0f;
}
