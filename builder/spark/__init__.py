"""What outgrows one machine, on Apache Spark: `pocketindex.spark`.

It may import the pipeline, collections and functions. It takes what they do on one machine, and
says how it is parted: a task does to its documents what a thread does there, and the driver
assembles the file by the same code, so the bytes are the same. No module imports pyspark when it is
loaded: the DataFrame that is given brings it.
"""

from pocketindex.spark.build import build
from pocketindex.spark.check import check
from pocketindex.spark.dedup import Deduplicated, dedup
from pocketindex.spark.found import Found
from pocketindex.spark.pairs import pairs
from pocketindex.spark.query import query

__all__ = ["Deduplicated", "Found", "build", "check", "dedup", "pairs", "query"]
