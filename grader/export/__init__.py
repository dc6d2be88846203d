"""A report in the format of each platform where courses keep grades. Pure, except for the zip; computes no points."""
