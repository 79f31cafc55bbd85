"""From files, tables, evaluation sets and Arrow to segments."""
