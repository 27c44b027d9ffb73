"""Keep on disk what a model is lowered to, so that later runs need not lower it again."""
