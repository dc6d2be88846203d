// Declares what host code of a lab calls, where cuRAND is not installed. Host code is compiled and never runs.
#pragma once

typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS = 0 };
enum curandRngType_t {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MTGP32 = 141
};

#define LAB_DECLARE(NAME) template <class... Arguments> curandStatus_t NAME(Arguments &&...);
LAB_DECLARE(curandCreateGenerator)
LAB_DECLARE(curandDestroyGenerator)
LAB_DECLARE(curandSetPseudoRandomGeneratorSeed)
LAB_DECLARE(curandSetStream)
LAB_DECLARE(curandGenerateUniform)
LAB_DECLARE(curandGenerateNormal)
LAB_DECLARE(curandGenerateUniformDouble)
#undef LAB_DECLARE
