#!/bin/sh
# restore-dump.sh FILE: restores the dump, all or nothing, into the empty database of DATABASE_DIRECT_URL.
set -eu
pg_restore --single-transaction --exit-on-error --no-owner --dbname="$DATABASE_DIRECT_URL" "$1"
psql --quiet --dbname="$DATABASE_DIRECT_URL" --command=analyze
