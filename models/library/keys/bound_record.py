"""Part `bound_record`: records under keys, each bound to the payload that came with its key."""

from fencecheck.models.library.keys.record import KeyRecord


class BoundRecord(KeyRecord):
    """Records under the keys of an Index with a ``payload``, of any scalar domain."""

    def __init__(self, name, key, payload):
        super().__init__(name, key, payload=payload)

    def bind(self, s, key, payload):
        """The record is of this payload."""
        s[self.name][key].payload = payload

    def fits(self, s, key, payload):
        """Tell whether the record is of this payload, or of none."""
        return self.is_absent(s, key) or s[self.name][key].payload == payload
