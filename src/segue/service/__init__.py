"""One function per operation. The only room that introduces rooms to each other; it never prints.

Begin with `operations.py`: each row names the corner, the module and the function that does it.
"""
