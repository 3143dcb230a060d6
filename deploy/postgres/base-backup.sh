#!/bin/sh
# base-backup.sh FOLDER: backs up the whole server, as the base on which the archive is replayed.
# Reads BACKUP_URL, whose user needs REPLICATION.
set -eu
pg_basebackup --dbname="$BACKUP_URL" --pgdata="$1" --checkpoint=fast --wal-method=stream
pg_verifybackup --quiet "$1"
