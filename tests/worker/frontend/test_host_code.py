"""Host code of older toolkits and other libraries: it compiles, although it never runs."""

import pytest

from grader.worker.frontend import includes
from tests.worker.frontend.desk import KERNEL, compiled, needs_nvcc, refused

pytestmark = needs_nvcc

OLDER_TOOLKITS = """
#include <cstdio>
#include <cstring>
void report()
{
    struct cudaDeviceProp first = {};
    cudaDeviceProp all[2], *last = &all[1];
    memset(all, 0, sizeof(all));
    cudaGetDeviceProperties(last, 0);
    printf("%s %d %d %d\\n", first.name, last->computeMode, all[0].memoryClockRate, last->kernelExecTimeoutEnabled);
    cudaThreadSetCacheConfig(cudaFuncCachePreferShared);
    if (cudaThreadSynchronize() != cudaSuccess) cudaThreadExit();
}
void prefetch(float *managed, size_t bytes, cudaStream_t stream)
{
    cudaMemAdvise(managed, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    cudaMemPrefetchAsync(managed, bytes, 0);
    cudaMemPrefetchAsync(managed, bytes, cudaCpuDeviceId, stream);
}
"""
LIBRARIES = {
    "BLAS": """
#include <cblas.h>
float check(float *a, float *x, double *y, int n)
{
    enum CBLAS_TRANSPOSE turned = CblasTrans;
    cblas_dgemm(CblasColMajor, turned, CblasNoTrans, n, n, n, 1.0, y, n, y, n, 0.0, y, n);
    cblas_saxpy(n, -1.0f, x, 1, a, 1);
    return cblas_snrm2(n, a, 1);
}
""",
    "BLAS in C, and MPI": """
#include <mpi.h>
extern "C" {
#include <cblas.h>
}
void spread(double *part, double *all, int n)
{
    int rank;
    MPI_Status status;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iscatter(all, n, MPI_DOUBLE, part, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank) MPI_Recv(part, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
    cblas_dscal(n, MPI_Wtime(), part, 1);
}
""",
    "MKL": """
#include <mkl.h>
void check(MKL_INT n)
{
    float *a = (float *)mkl_malloc(n * sizeof(float), 64);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, n, n, 1, a, n, a, 1, 0, a, 1);
    mkl_free(a);
}
""",
    "cuBLASLt": """
#include <cublasLt.h>
void check(float *a, cudaStream_t stream)
{
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t layout;
    cublasLtMatmulHeuristicResult_t found[4];
    int returned = 0;
    float one = 1;
    cublasOperation_t turned = CUBLAS_OP_T;
    cublasLtCreate(&handle);
    cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof(turned));
    if (cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 8, 8, 8) == CUBLAS_STATUS_SUCCESS && found[0].workspaceSize)
        cublasLtMatmul(handle, product, &one, a, layout, a, layout, &one, a, layout, a, layout, &found[0].algo, 0, 0,
                       stream);
}
""",
    "cuBLAS, by the names behind its macros": """
#include <cublas_v2.h>
void check()
{
    cublasHandle_t handle;
    cublasCreate_v2(&handle);
    cublasDestroy(handle);
}
""",
    "libwb": """
#include <wb.h>
int main(int argc, char **argv)
{
    int rows, columns;
    wbArg_t arguments = wbArg_read(argc, argv);
    wbTime_start(Generic, "Importing data");
    float *a = (float *)wbImport(wbArg_getInputFile(arguments, 0), &rows, &columns);
    wbTime_stop(Generic, "Importing data");
    wbLog(TRACE, "The dimensions of A are ", rows, " x ", columns);
    wbSolution(arguments, a, rows, columns);
}
""",
    "GPU-TK": """
#include <gputk.h>
int main(int argc, char **argv)
{
    gpuTKArg_t arguments = gpuTKArg_read(argc, argv);
    gpuTKTime_start(GPU, "Allocating GPU memory.");
    std::vector<std::string> names(1, gpuTKArg_getInputFile(arguments, 1));
    gpuTKLog(ERROR, "Failed ", names[0]);
}
""",
    "the helpers of NVIDIA's samples": """
#include <cuda_profiler_api.h>
#include <helper_cuda.h>
int main(int argc, char **argv)
{
    int device = findCudaDevice(argc, (const char **)argv);
    checkCudaErrors(cudaProfilerStart());
    if (getCmdLineArgumentInt(argc, (const char **)argv, "wA") > device) exit(EXIT_WAIVED);
}
""",
}


def test_what_later_toolkits_removed_is_declared() -> None:
    assert compiled(KERNEL + OLDER_TOOLKITS).build.parameters == ("pointer", "pointer", "pointer", "integer")


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_host_code_calls_is_declared(library: str) -> None:
    assert compiled(LIBRARIES[library] + KERNEL).build.symbol == "matmul"


def test_a_file_without_such_names_does_not_include_the_declarations() -> None:
    assert includes.stand_ins(KERNEL.encode()) == ()
    assert includes.stand_ins(b"clockRates cudaThreadSynchronized") == ()


@pytest.mark.parametrize("header", ["Windows.h", "cute/tensor.hpp", "my.h"])
def test_a_header_that_is_not_found_is_left_out_or_submitted(header: str) -> None:
    hint = refused(f"#include <{header}>\n{KERNEL}").hint
    assert "Leave out what needs it" in hint
    assert "submit it with the .cu file" in hint
