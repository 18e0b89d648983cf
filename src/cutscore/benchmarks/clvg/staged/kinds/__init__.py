"""The kinds of staged cases, one module each; `staged.registry` lists them."""
