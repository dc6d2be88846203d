// Stands for a header of MKL, where it is not installed.
#include "mkl.h"
