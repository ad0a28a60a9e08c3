#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Labels a folder of images with Apache Spark: each partition goes through a `martlet worker`.

    pip install pyspark          (and a Java runtime, 17 or newer)
    spark_pipe.py images answers.ndjson
    spark_pipe.py --master local-cluster[2,1,1024] records.ndjson answers.ndjson --top 3

`RDD.pipe` writes the records of a partition to a worker's standard input and reads its answers.
With `checkCode`, a worker that fails or is killed fails its task, whose answers Spark throws away
and which it repeats up to three times; so does it with the tasks of an executor that is lost. On
several machines, images and models are where every machine finds them, by the same paths.
"""

import os
import shlex

from pyspark.sql import SparkSession

import records


def main():
    given = records.arguments(
        __doc__,
        master=("local[*,4]", "where Spark runs; the 4 is how often a task is tried"),
        partitions=(8, "how many parts, each a process"),
    )
    lines = records.records(given.source)
    spark = SparkSession.builder.master(given.master).appName("martlet").getOrCreate()
    try:
        answers = (
            spark.sparkContext.parallelize(lines, given.partitions)
            .pipe(shlex.join(given.command), env=dict(os.environ), checkCode=True)
            .collect()
        )
    finally:
        spark.stop()
    # More than fits into memory is written by the executors: saveAsTextFile instead of collect.
    records.write(answers, given.output)


if __name__ == "__main__":
    main()
