import sys

import pyarrow.parquet
from rensa import RMinHashDeduplicator

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
table = pyarrow.parquet.read_table(source)
dedup = RMinHashDeduplicator(threshold=threshold, num_perm=num_perm, use_lsh=True)
texts = enumerate(table["text"].to_pylist())
keep = dedup.add_pairs((str(number), text.split()) for number, text in texts)
pyarrow.parquet.write_table(table.filter(keep), target)
