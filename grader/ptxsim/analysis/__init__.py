"""Facts about a function of PTX: control flow, liveness, and what the lanes of a warp have in common."""
