"""Kernels: the successor function of a model as LLVM IR and as machine code."""
