"""The tests of fencecheck; README.md says where each one goes."""
