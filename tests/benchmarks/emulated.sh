#!/usr/bin/env bash
# Reference kernels on the simulator of 64-bit Arm, under emulation, and then some tests. Installs nothing: Debian's
# Python for Arm and the wheels are unpacked in a folder.
#
# tests/benchmarks/emulated.sh FOLDER [TEST...]      needs Debian or Ubuntu with qemu-user-static, unzip and nvcc
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "$1")
shift
python=.venv/bin/python
mkdir -p "$folder"/{apt/state/lists/partial,debs,root,wheels,site,ptx}

export APT_CONFIG=$folder/apt.conf
cat > "$APT_CONFIG" <<END
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
END
touch "$folder/apt/status"
mirror="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian"
echo "deb $mirror bookworm main" > "$folder/apt/sources.list"
apt-get update
(cd "$folder/debs" && apt-get download libc6 python3.11-minimal libpython3.11-minimal libpython3.11-stdlib zlib1g \
    libexpat1 libstdc++6 libgcc-s1 libffi8 libssl3 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1)
for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$folder/root"; done

.venv/bin/pip freeze | grep -E \
    '^(numpy|llvmlite|psutil|attrs|cattrs|platformdirs|typing_extensions|hypothesis|cffi|rpds-py)==' > "$folder/needed"
.venv/bin/pip download --no-deps --only-binary=:all: --platform manylinux_2_28_aarch64 --python-version 311 \
    --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 --dest "$folder/wheels" --requirement "$folder/needed"
for wheel in "$folder"/wheels/*.whl; do unzip -q -o "$wheel" -d "$folder/site"; done

$python -m tests.benchmarks.emulated write "$folder/ptx"
packages=$($python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
on_arm() {
    PYTHONPATH=$PWD:$folder/site:$packages PYTHONHOME=$folder/root/usr PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 \
        qemu-aarch64-static -L "$folder/root" "$folder/root/usr/bin/python3.11" "$@"
}
on_arm -m tests.benchmarks.emulated run "$folder/ptx"
if [ $# -gt 0 ]; then
    on_arm -m pytest -q -p tests.benchmarks.native_compilers -p no:xdist -p no:cov -p no:cacheprovider -o addopts= "$@"
fi
