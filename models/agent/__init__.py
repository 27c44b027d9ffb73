"""Family `agent`; its first file is family.py."""

from fencecheck.models.agent.family import model as model
