"""The specs that ship with fencecheck: TOML files beside this one (see README.md)."""
