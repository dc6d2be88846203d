"""The expected C, and the errors of the C of a launch: numbers only, independent of the kernel's source."""
