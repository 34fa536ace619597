"""What a statement does to each engine, with and without the layers that should stop it."""
