#!/bin/sh
# restore-to.sh BACKUP ARCHIVE DATA TIME: makes DATA the folder of a server that recovers to TIME at its start.
# From then on, the server accepts writes. Run this as the user of Postgres.
# TIME looks like 2026-03-09 12:00:00+00. Choose a time before the fault and after the end of BACKUP.
set -eu
cp -a "$1" "$3"
chmod 700 "$3"
cat >>"$3/postgresql.auto.conf" <<SETTINGS
restore_command = 'cp $2/%f %p'
recovery_target_time = '$4'
recovery_target_action = 'promote'
SETTINGS
touch "$3/recovery.signal"
