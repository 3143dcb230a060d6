#!/bin/sh
# dump.sh FILE: the database as it is at this moment, in one file. Reads DATABASE_DIRECT_URL.
set -eu
pg_dump --format=custom --no-owner --no-privileges --file="$1.part" "$DATABASE_DIRECT_URL"
mv "$1.part" "$1"
