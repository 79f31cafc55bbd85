"""Left of the sum: tokens and n-gram counts of many segments, quickly, and components called on them."""
