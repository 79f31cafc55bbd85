"""Statistics of parts of a text: kept in files, added up elsewhere or later, and scored as the whole."""
