"""Searches in the processes of a cluster: owners in this process, and on Ray itself."""
