// Everything that this header of the toolkit declares for device code is in cuda_runtime.h.
#pragma once

#include <cuda_runtime.h>
