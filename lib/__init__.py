"""The implementations of the course Machine Learning, Executed, one idea a module."""
