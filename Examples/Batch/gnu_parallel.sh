#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Labels a folder of images with GNU parallel: each job is a `martlet worker` for one shard.
#
#   gnu_parallel.sh images answers.ndjson
#   gnu_parallel.sh records.ndjson answers.ndjson --top 3 --model flowers.tflite
#
# What follows the output are options of `martlet worker`. In the environment: MARTLET is the
# program (martlet), JOBS how many run at a time (one a core), SHARDS how many shards there are
# (four a job). Answers are sorted by identifier. A shard whose worker fails is tried three times
# in all; then the run ends with an exit code other than 0 and writes nothing.
set -euo pipefail

usage() { sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; }

if [ "${1:-}" = --help ]; then
  usage
  exit 0
elif [ $# -lt 2 ]; then
  usage >&2
  exit 64
fi
source=$1 output=$2
shift 2
jobs=${JOBS:-$(nproc)}
shards=${SHARDS:-$((4 * jobs))}

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output.partial"' EXIT
python3 "$(dirname "$0")/records.py" "$source" > "$folder/records"

# A file for each shard, which a second try begins anew: no record is answered twice.
worker=$(printf '%q ' "${MARTLET:-martlet}" worker --keep-going "$@")
seq 0 $((shards - 1)) | parallel --will-cite --jobs "$jobs" --retries 3 --halt now,fail=1 \
  "$worker --shard {}/$shards < $folder/records > $folder/answers.{}"

LC_ALL=C sort "$folder"/answers.* > "$output.partial"
mv "$output.partial" "$output"
