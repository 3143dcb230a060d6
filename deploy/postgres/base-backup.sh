#!/bin/sh
# base-backup.sh FOLDER: the whole server, to which the archive is then played back. Reads BACKUP_URL, of a user with REPLICATION.
set -eu
pg_basebackup --dbname="$BACKUP_URL" --pgdata="$1" --checkpoint=fast --wal-method=stream
pg_verifybackup --quiet "$1"
