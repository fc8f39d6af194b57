"""The exercises of the course: one module per chapter, named after its slug."""
