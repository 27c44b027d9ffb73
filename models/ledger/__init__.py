"""Family `ledger`; its first file is family.py."""

from fencecheck.models.ledger.family import model as model
