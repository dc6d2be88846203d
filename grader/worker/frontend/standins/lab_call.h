// A function of a library that is not installed, as an object: it takes anything, because host code never runs.
#pragma once

extern "C++" {  // around a template, where a file includes a library's header in extern "C"
template <class Result> struct LabCall {
    template <class... Arguments> Result operator()(Arguments &&...) const;
};
}
