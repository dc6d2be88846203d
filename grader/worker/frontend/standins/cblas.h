// Declares what host code calls of BLAS, where it is not installed. Host code never runs.
#pragma once

#include <stddef.h>

#include "lab_call.h"

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef CBLAS_LAYOUT CBLAS_ORDER;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

extern LabCall<float> cblas_sgemm, cblas_sgemv, cblas_sger, cblas_ssymm, cblas_ssyrk, cblas_saxpy, cblas_sdot,
    cblas_sscal, cblas_scopy, cblas_sswap, cblas_snrm2, cblas_sasum;
extern LabCall<double> cblas_dgemm, cblas_dgemv, cblas_dger, cblas_dsymm, cblas_dsyrk, cblas_daxpy, cblas_ddot,
    cblas_dscal, cblas_dcopy, cblas_dswap, cblas_dnrm2, cblas_dasum;
extern LabCall<int> cblas_isamax, cblas_idamax, openblas_set_num_threads;
