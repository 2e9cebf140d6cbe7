"""Clusters of near-duplicates by text-dedup and by datatrove, as pairs within a cluster.

Neither lists pairs: both put documents of equal hashes into one cluster, of which one is kept, and
verify nothing. The settings are those that their documentation names for words, with .8 as the
threshold where there is one; texts of fewer words than a shingle are left in.
"""

from __future__ import annotations

import itertools
import json
import pickle
import struct
import tempfile
from collections.abc import Iterable
from pathlib import Path

Found = set[tuple[int, int]]


def within(clusters: Iterable[Iterable[int]]) -> Found:
    return {pair for one in clusters for pair in itertools.combinations(sorted(one), 2)}


def grouped(labels: Iterable[tuple[int, int]]) -> list[list[int]]:
    groups = dict[int, list[int]]()
    for document, label in labels:
        groups.setdefault(label, []).append(document)
    return list(groups.values())


def text_dedup(texts: list[str]) -> Found:
    from text_dedup.minhash import main

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "in.jsonl").open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps({"text": text}) + "\n" for text in texts)
        source = ("json", "--data_files", str(folder / "in.jsonl"), "--split", "train")
        places = ("--cache_dir", str(folder / "cache"), "--output", str(folder / "out"), "--debug")
        how = ("--threshold", "0.8", "--num_perm", "256", "--ngram", "5", "--min_length", "1")
        main(
            ["--path", *source, *places, "--column", "text", "--num_proc", "1", *how],
            standalone_mode=False,
        )
        with (folder / "out" / "uf.pkl").open("rb") as file:
            union = pickle.load(file)
    return within(grouped((one, union.find(one)) for one in list(union.parent)))


def datatrove(texts: list[str]) -> Found:
    from datatrove.data import Document
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature
    from datatrove.utils.hashing import HashConfig

    how = MinhashConfig(hash_config=HashConfig(precision=64))
    with tempfile.TemporaryDirectory() as name:
        signatures, buckets, clusters = (f"{name}/{part}" for part in ("sig", "dup", "out"))
        documents = (Document(text=text, id=str(i)) for i, text in enumerate(texts))
        MinhashDedupSignature(signatures, config=how).run(documents, 0, 1)
        for bucket in range(how.num_buckets):
            MinhashDedupBuckets(signatures, buckets, config=how).run(None, bucket, how.num_buckets)
        MinhashDedupCluster(buckets, clusters, config=how, save_cluster_id=True).run(None, 0, 1)
        found = Path(clusters, "000000.clusters")
        labels = struct.iter_unpack("<II", found.read_bytes()) if found.exists() else iter(())
        return within(grouped(labels))
