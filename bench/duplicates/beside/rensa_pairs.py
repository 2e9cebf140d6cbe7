import sys

import pyarrow
import pyarrow.parquet
from rensa import RMinHash, RMinHashLSH

source, target, threshold, num_perm = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
table = pyarrow.parquet.read_table(source, columns=["id", "text"])
ids, tokens = table["id"].to_pylist(), [text.split() for text in table["text"].to_pylist()]
sketches = RMinHash.from_token_sets(tokens, num_perm=num_perm, seed=42)
lsh = RMinHashLSH(threshold=threshold, num_perm=num_perm, num_bands=16 if threshold > 0.7 else 32)
pairs = []
for number, sketch in enumerate(sketches):
    for other in lsh.query(sketch):
        if sketches[other].jaccard(sketch) >= threshold:
            pairs.append({"a": ids[other], "b": ids[number]})
    lsh.insert(number, sketch)
pyarrow.parquet.write_table(pyarrow.Table.from_pylist(pairs), target)
