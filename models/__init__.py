"""The built-in model families of fencecheck: fence, ledger, agent, and the parts they share."""
