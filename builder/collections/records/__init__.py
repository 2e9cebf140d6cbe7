"""Records compared with each other: titles, questions, addresses, products; by weighted words."""
