import sys

import pyarrow
import pyarrow.parquet
from rensa import RMinHashDeduplicator

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
texts = pyarrow.parquet.read_table(source, columns=["text"])["text"].to_pylist()
items = pyarrow.parquet.read_table(sys.argv[5])
dedup = RMinHashDeduplicator(threshold=threshold, num_perm=num_perm, use_lsh=True)
dedup.add_pairs((str(number), text.split()) for number, text in enumerate(texts))
asked = enumerate(items["text"].to_pylist())
is_there = dedup.is_duplicate_pairs((f"item {number}", text.split()) for number, text in asked)
found = items.select(["id"]).filter(is_there)
pyarrow.parquet.write_table(found, target)
