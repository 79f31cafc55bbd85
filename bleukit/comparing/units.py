"""What segments are grouped by, what is resampled, and how many are needed for an interval."""

SEGMENT, DOCUMENT, LENGTH, LABEL, TEST_SET = "segment", "document", "length", "label", "test set"

FEWEST_UNITS = 10
"""The number of units, or of those that differ, from which intervals cover the truth about as often as they say."""
