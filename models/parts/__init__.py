"""Parts of models that families share."""
