"""What is resampled, what segments are grouped by, and how many units that takes."""

SEGMENT, DOCUMENT, LENGTH, LABEL, TEST_SET = "segment", "document", "length", "label", "test set"
"""What segments are grouped by, and what is resampled."""

FEWEST_UNITS = 10
"""The number of units, or of those that differ, from which intervals cover the truth about as often as they say."""

ENUMERATED = 20
"""The number of differing units up to which all permutations are tried."""
