import sys

import pyarrow
import pyarrow.parquet
from datasketch import MinHash, MinHashLSH

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
table = pyarrow.parquet.read_table(source, columns=["id", "text"])
lsh = MinHashLSH(threshold=threshold, num_perm=num_perm)
pairs = []
for row in table.to_pylist():
    sketch = MinHash(num_perm=num_perm)
    sketch.update_batch([word.encode() for word in set(row["text"].split())])
    pairs += [{"a": other, "b": row["id"]} for other in lsh.query(sketch)]
    lsh.insert(row["id"], sketch)
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(pairs), target)
