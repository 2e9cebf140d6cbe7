import sys

import pyarrow
import pyarrow.parquet
from datasketch import MinHash, MinHashLSH

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])


def sketch(text):
    made = MinHash(num_perm=num_perm)
    made.update_batch([word.encode() for word in set(text.split())])
    return made


lsh = MinHashLSH(threshold=threshold, num_perm=num_perm)
for row in pyarrow.parquet.read_table(source, columns=["id", "text"]).to_pylist():
    lsh.insert(row["id"], sketch(row["text"]))
items = pyarrow.parquet.read_table(sys.argv[5]).to_pylist()
found = [{"id": item["id"]} for item in items if lsh.query(sketch(item["text"]))]
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(found), target)
