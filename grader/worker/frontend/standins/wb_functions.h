// What libwb and GPU-TK have in common, with WB(NAME) for the name of a function with its prefix. Host code never runs.
#ifndef __CUDACC_RTC__
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iostream>
#include <string>
#include <vector>
#endif

#include "lab_call.h"

struct WB(Arg_t) {
    int count;
};
struct WB(Image_data) {
    int width, height, channels;
};
typedef WB(Image_data) * WB(Image_t);
extern LabCall<WB(Arg_t)> WB(Arg_read);
extern LabCall<char *> WB(Arg_getInputFile);
extern LabCall<void *> WB(Import);
extern LabCall<float *> WB(Image_getData);
extern LabCall<WB(Image_t)> WB(Image_new);
extern LabCall<int> WB(Arg_getInputCount), WB(ImportFlag), WB(Export), WB(Solution), WB(Image_getWidth),
    WB(Image_getHeight), WB(Image_getChannels), WB(Image_delete);
