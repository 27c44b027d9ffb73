"""How values of the state behave where functions of a model read and change them."""
