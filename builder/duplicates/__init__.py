"""Near-duplicates within a collection: pairs, clusters, and the collection without them."""
