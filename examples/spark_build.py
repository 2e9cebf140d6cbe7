"""Build a pocket file, or a folder of them, on Spark.

    spark-submit examples/spark_build.py documents.parquet docs.pocket --index documents,passages

The executors need pocketindex, as the driver does. The driver writes the file.
"""

from __future__ import annotations

import argparse

import pocketindex
from pyspark.sql import SparkSession


def main() -> None:
    """Read JSON Lines or Parquet with columns id, title, text, url, and build."""
    parser = argparse.ArgumentParser()
    parser.add_argument("documents", help="what Spark can read: *.parquet, or JSON Lines")
    parser.add_argument("target", help="a file of the driver, or a folder with --shards")
    parser.add_argument("--index", default="documents")
    parser.add_argument("--keep", default="none")
    parser.add_argument("--order", help="a column; else the ids are the order")
    parser.add_argument("--shards", type=int)
    parser.add_argument("--partitions", type=int)
    given = vars(parser.parse_args())
    documents, target = given.pop("documents"), given.pop("target")

    session = SparkSession.builder.appName("pocketindex").getOrCreate()
    read = session.read.parquet if documents.endswith(".parquet") else session.read.json
    report = pocketindex.spark.build(read(documents), target, **given)
    print(report.text())
    session.stop()


if __name__ == "__main__":
    main()
