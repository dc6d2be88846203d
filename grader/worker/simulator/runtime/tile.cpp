// What the CUDA C++ Programming Guide, "Warp Matrix Functions", demands of the memory that a fragment is loaded from or
// stored to. A GPU does not check any of it; what it does instead is undefined.
#include "block.h"
#include "fault.h"

namespace sim {

struct Tile {
    const void *address;
    unsigned leading;
    int column_major;
    int element;
};

namespace {

constexpr int tile_alignment = 32;     // 256 bits

// Elements: 8 of half, 4 of float. Of bytes the guide says nothing, and the narrowest tile has rows of 8.
int leading_multiple(int element) { return element == 1 ? 8 : 16 / element; }

void check_tile(const Tile &tile, int line) {
    auto address = reinterpret_cast<intptr_t>(tile.address);
    if (address % tile_alignment != 0) {
        Report("tile-misaligned").here().number("line0", line).number("alignment", tile_alignment)
            .number("address", address).submit();
    }
    int multiple = leading_multiple(tile.element);
    if (tile.leading % static_cast<unsigned>(multiple) != 0) {
        Report("tile-leading").here().number("line0", line).number("leading", tile.leading)
            .number("multiple", multiple).submit();
    }
}

bool same(const Tile &a, const Tile &b) {
    return a.address == b.address && a.leading == b.leading && a.column_major == b.column_major;
}

void compare_tiles(void *const *shares) {
    auto first = static_cast<const Tile *>(shares[0]);
    for (int lane = 1; lane < warp_lanes; ++lane) {
        if (same(*first, *static_cast<const Tile *>(shares[lane]))) continue;
        Report("tile-differs").here().number("line0", block->current().line).number("lane", lane).submit();
    }
}

}  // namespace

unsigned agree_on_tile(const Tile &tile, int line) {
    check_tile(tile, line);
    Tile mine = tile;
    block->whole_warp(compare_tiles, &mine, line);
    return block->lane();
}

}  // namespace sim
