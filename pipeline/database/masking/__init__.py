"""Values of sensitive columns in results: which columns carry them, and what stands instead.

Nothing is imported here: the process that runs a statement needs `masks` alone.
"""
