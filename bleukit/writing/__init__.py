"""How results are written: layout of lines, and files that are written whole or not at all."""
