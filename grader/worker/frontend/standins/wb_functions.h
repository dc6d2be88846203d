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

struct WB(Arg_t) {
    int count;
};
struct WB(Image_data) {
    int width, height, channels;
};
typedef WB(Image_data) * WB(Image_t);
template <class... Arguments> inline WB(Arg_t) WB(Arg_read)(Arguments &&...) { return {}; }
template <class... Arguments> inline char *WB(Arg_getInputFile)(Arguments &&...) { return 0; }
template <class... Arguments> inline int WB(Arg_getInputCount)(Arguments &&...) { return 0; }
template <class... Arguments> inline void *WB(Import)(Arguments &&...) { return 0; }
template <class... Arguments> inline int WB(ImportFlag)(Arguments &&...) { return 0; }
template <class... Arguments> inline void WB(Export)(Arguments &&...) {}
template <class... Arguments> inline bool WB(Solution)(Arguments &&...) { return true; }
template <class... Arguments> inline int WB(Image_getWidth)(Arguments &&...) { return 0; }
template <class... Arguments> inline int WB(Image_getHeight)(Arguments &&...) { return 0; }
template <class... Arguments> inline int WB(Image_getChannels)(Arguments &&...) { return 0; }
template <class... Arguments> inline float *WB(Image_getData)(Arguments &&...) { return 0; }
template <class... Arguments> inline WB(Image_t) WB(Image_new)(Arguments &&...) { return 0; }
template <class... Arguments> inline void WB(Image_delete)(Arguments &&...) {}
