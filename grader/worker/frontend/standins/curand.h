// Declares what host code of a lab calls, where cuRAND is not installed. Host code is compiled and never runs.
#pragma once

#include "lab_call.h"

typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS };
enum curandRngType_t { CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MTGP32 };
extern LabCall<curandStatus_t> curandCreateGenerator, curandDestroyGenerator, curandSetPseudoRandomGeneratorSeed,
    curandSetStream, curandGenerateUniform, curandGenerateNormal, curandGenerateUniformDouble;
