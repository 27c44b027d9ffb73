"""Family `fence`; its first file is family.py."""

from fencecheck.models.fence.family import model as model
