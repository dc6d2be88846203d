// Declares what host code calls of BLAS, where it is not installed. Host code never runs.
#pragma once

#include <stddef.h>

extern "C++" {  // around templates, where a file includes it in extern "C"
typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef CBLAS_LAYOUT CBLAS_ORDER;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 } CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

#define LAB_DECLARE(NAME)                                                                   \
    template <class... Arguments> inline float cblas_s##NAME(Arguments &&...) { return 0; } \
    template <class... Arguments> inline double cblas_d##NAME(Arguments &&...) { return 0; }
LAB_DECLARE(gemm)
LAB_DECLARE(gemv)
LAB_DECLARE(ger)
LAB_DECLARE(symm)
LAB_DECLARE(syrk)
LAB_DECLARE(axpy)
LAB_DECLARE(dot)
LAB_DECLARE(scal)
LAB_DECLARE(copy)
LAB_DECLARE(swap)
LAB_DECLARE(nrm2)
LAB_DECLARE(asum)
#undef LAB_DECLARE
template <class... Arguments> inline int cblas_isamax(Arguments &&...) { return 0; }
template <class... Arguments> inline int cblas_idamax(Arguments &&...) { return 0; }
inline void openblas_set_num_threads(int) {}
}
