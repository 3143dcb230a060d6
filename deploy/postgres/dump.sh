#!/bin/sh
# dump.sh FILE: dumps the current state of the database into one file. Reads DATABASE_DIRECT_URL.
set -eu
pg_dump --format=custom --no-owner --no-privileges --file="$1.part" "$DATABASE_DIRECT_URL"
mv "$1.part" "$1"
