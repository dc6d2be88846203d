// Stands for a library that is not installed: a kernel does not need it.
#include "../nvToolsExt.h"
