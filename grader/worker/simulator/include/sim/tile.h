// Where in memory a fragment is loaded from or stored to.
#pragma once

namespace sim {

struct Tile {
    const void *address;
    unsigned leading;  // elements from one row (or column) to the next
    int column_major;
    int element;       // bytes
};

// Waits for the whole warp, whose lanes must agree on a tile that tensor cores can access. Returns the lane.
unsigned agree_on_tile(const Tile &tile, int line);

}  // namespace sim
