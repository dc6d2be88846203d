"""What must be the same in judge and worker: messages, inputs, memory layout, occupancy, the check of timed answers.

The handshake hashes this folder and `model/`. No judging and no running of kernels belongs here.
"""
