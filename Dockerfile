# Two images of the grader, without development dependencies:
#   docker build --target simulator --tag matmul-grader:simulator .
#   docker build --target cuda --tag matmul-grader:cuda .
ARG DEBIAN=debian:bookworm-20250520-slim

# Debian's mirrors keep only the newest build of a package, so an exact version would soon be unavailable. These
# patterns match the versions that bookworm keeps for its lifetime: they admit fixes, and any other compiler or Python
# fails the build.
# Of GCC, nvcc needs the preprocessor of C++ only: without the compilers of C and of link-time code, 100 MB are saved.
FROM ${DEBIAN} AS python
RUN apt-get update \
    && apt-get install --yes --no-install-recommends 'g++=4:12.2.*' 'python3=3.11.*' \
    && rm $(gcc -print-prog-name=cc1) $(gcc -print-prog-name=lto1) /usr/bin/*-lto-dump-12 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log
# Users need no account or home directory in the image: `docker run --user` accepts any user id.
ENV PATH=/opt/grader/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/tmp GRADER_REQUIRE_CONFINEMENT=1
RUN mkdir --mode 1777 /submission
WORKDIR /submission
CMD ["grade", "--help"]

FROM python AS build
RUN apt-get update && apt-get install --yes --no-install-recommends 'python3-dev=3.11.*' 'python3-venv=3.11.*'
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/grader
WORKDIR /source
COPY requirements-build.lock ./
RUN /opt/build/bin/pip install --require-hashes --requirement requirements-build.lock

FROM build AS wheel
COPY . .
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheel .

FROM build AS simulator-packages
COPY requirements-run.lock ./
RUN /opt/build/bin/pip --python /opt/grader/bin/python install --require-hashes --requirement requirements-run.lock
COPY --from=wheel /wheel /wheel
RUN /opt/build/bin/pip --python /opt/grader/bin/python install --no-deps /wheel/*.whl

# NVIDIA's compiler, which the simulator executes the output of.
FROM simulator-packages AS compiler-packages
COPY requirements-compiler.lock ./
# Without NVIDIA's linker and its library for other compilers: 100 MB.
RUN /opt/build/bin/pip --python /opt/grader/bin/python install --require-hashes --requirement requirements-compiler.lock \
    && cd /opt/grader/lib/python3.11/site-packages/nvidia/cu13 && rm bin/nvlink lib/libnvvm.so.4

FROM python AS simulator
COPY --from=compiler-packages /opt/grader /opt/grader
LABEL org.matmul-grader.backend=simulator
USER 65534:65534

# PyCUDA is built from source and links against libraries of these names. The driver's library comes with the GPU at run
# time.
FROM simulator-packages AS cuda-packages
ENV CUDA_ROOT=/opt/grader/lib/python3.11/site-packages/nvidia/cu13
ENV PATH=$CUDA_ROOT/bin:$PATH
COPY requirements-toolkit.lock requirements-cuda.lock ./
RUN /opt/build/bin/pip --python /opt/grader/bin/python install --require-hashes --requirement requirements-toolkit.lock
RUN mkdir /stubs \
    && g++ -shared -Wl,-soname,libcuda.so.1 -x c++ /dev/null -o /stubs/libcuda.so \
    && ln -s $CUDA_ROOT/lib/libcurand.so.10 /stubs/libcurand.so \
    && ln -s $CUDA_ROOT/lib/libcudart.so.13 /stubs/libcudart.so
# The stub defines no symbols, so with --as-needed the linker would drop the dependency on the driver.
RUN CPATH=$CUDA_ROOT/include LIBRARY_PATH=/stubs LDFLAGS=-Wl,--no-as-needed \
    /opt/build/bin/pip --python /opt/grader/bin/python install \
    --no-build-isolation --require-hashes --requirement requirements-cuda.lock \
    && /opt/build/bin/pip --python /opt/grader/bin/python uninstall --yes setuptools wheel

# To run this image, the machine needs NVIDIA's driver and container toolkit: docker run --gpus all ...
FROM python AS cuda
COPY --from=cuda-packages /opt/grader /opt/grader
ENV CUDA_ROOT=/opt/grader/lib/python3.11/site-packages/nvidia/cu13
ENV PATH=$CUDA_ROOT/bin:$PATH NVIDIA_DRIVER_CAPABILITIES=compute,utility
RUN echo $CUDA_ROOT/lib > /etc/ld.so.conf.d/cuda.conf && ldconfig && rm -rf /var/cache/ldconfig
LABEL org.matmul-grader.backend=cuda
USER 65534:65534
