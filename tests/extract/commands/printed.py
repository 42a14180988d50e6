"""What programs print, where several tests need it."""

FAILED = "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2\n1 failed, 3 passed in 0.41s\n"
