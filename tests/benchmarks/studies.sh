#!/usr/bin/env bash
# The studies that need a GPU: block sizes of a tiled kernel, and every kernel of reference/ from 256 to 4096.
#
# tests/benchmarks/studies.sh [FOLDER]      writes FOLDER/blocks, fixed-tile, curve and ladder; resumes where it stopped
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-study}
grade=${GRADE:-.venv/bin/grade}

tiled=reference/six_versions/v3_shared_tiles.cu
"$grade" sweep "$tiled" --define BLOCK=8,16,32 --sizes 256,512,1024,1025,2047,2048 --output "$folder/blocks"
"$grade" sweep reference/register_blocked.cu --define BLOCK=8,16,32 --output "$folder/fixed-tile"
"$grade" sweep reference/register_blocked.cu --sizes curve,4095,4096 --output "$folder/curve"
"$grade" sweep reference/*.cu --sizes 256:4096:*2,1025,2047 --output "$folder/ladder"
