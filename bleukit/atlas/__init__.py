"""Many variants on one text: tables of scores, whether the variants agree, and by how much they usually differ."""
