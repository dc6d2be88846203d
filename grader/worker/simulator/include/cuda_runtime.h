// CUDA's device language for the host compiler. It is included before the first line of a submission, as nvcc does.
#pragma once

// All of these come before our macros, which a later inclusion would undo or trip over.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cstdio>
#include <type_traits>

#include "sim/qualifiers.h"
#include "sim/vector_types.h"
#include "sim/coordinates.h"
#include "sim/barrier.h"
#include "sim/warp.h"
#include "sim/atomics.h"
#include "sim/arithmetic.h"
#include "sim/mathematics.h"
#include "sim/device.h"
