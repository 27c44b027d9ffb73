"""The commands of fencecheck, one file each."""
