"""What segments are grouped by, and what is resampled."""

SEGMENT, DOCUMENT, LENGTH, LABEL, TEST_SET = "segment", "document", "length", "label", "test set"
