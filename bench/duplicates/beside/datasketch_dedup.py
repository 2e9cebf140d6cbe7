import sys

import pyarrow.parquet
from datasketch import MinHash, MinHashLSH

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
table = pyarrow.parquet.read_table(source)
lsh = MinHashLSH(threshold=threshold, num_perm=num_perm)
kept = []
for number, text in enumerate(table["text"].to_pylist()):
    sketch = MinHash(num_perm=num_perm)
    sketch.update_batch([word.encode() for word in set(text.split())])
    if not lsh.query(sketch):
        lsh.insert(number, sketch)
        kept.append(number)
pyarrow.parquet.write_table(table.take(kept), target)
