#!/bin/sh
# restore-to.sh BACKUP ARCHIVE DATA TIME: DATA becomes a server's folder that, at its start, goes on to TIME and takes writes from there.
# TIME is as in 2026-03-09 12:00:00+00: before what should not have happened, after the end of BACKUP. As the user that Postgres runs as.
set -eu
cp -a "$1" "$3"
chmod 700 "$3"
cat >>"$3/postgresql.auto.conf" <<SETTINGS
restore_command = 'cp $2/%f %p'
recovery_target_time = '$4'
recovery_target_action = 'promote'
SETTINGS
touch "$3/recovery.signal"
