// The primitives alone; the class around them needs libcu++.
#pragma once

#include <cuda_pipeline_primitives.h>
