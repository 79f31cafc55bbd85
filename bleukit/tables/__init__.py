"""Many variants on one text: tables, and whether they agree."""
