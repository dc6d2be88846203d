"""Analyses of a PTX function: control flow, liveness, divergence, and how values differ between lanes of a warp."""
