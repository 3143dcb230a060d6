export {
  addIndexes,
  buildIndexes,
  createMissingIndexes,
  findMissingIndexes,
  type Index,
  type IndexMigration,
  type PreparedMigration,
} from "./add-indexes.ts";
export type { Derived, Immutable, JsonColumn, MetadataColumn, NullableColumn } from "./columns.ts";
export { createDialer, type Dialer } from "./dialer.ts";
export { deleteOldest } from "./delete-oldest.ts";
export { DatabaseFault, describeDatabaseFault, describeEmbeddedFault } from "./describe-fault.ts";
export { findPooler, type Pooler } from "./find-pooler.ts";
export type { PoolUsage } from "./guarded-pool.ts";
export { isUnwritable } from "./is-unwritable.ts";
export { DatabaseUnavailableError, isUnavailable, isWithoutPartition } from "./is-unavailable.ts";
export { isDeadlock } from "./is-deadlock.ts";
export { isLockTimeout } from "./is-lock-timeout.ts";
export { isUniqueViolation } from "./is-unique-violation.ts";
export type { Listener, ListenerHandlers } from "./listener.ts";
export { migrate, type LockingMigration } from "./migrate.ts";
export { openDatabase } from "./open-database.ts";
export type { Database, OpenDatabaseOptions } from "./open-database.ts";
export { addPartition, dropPartition, listPartitions, partitionName, type Partition } from "./partitions.ts";
export { prepareQuery, type Named } from "./prepare-query.ts";
export { transaction, type Executor, type Transaction } from "./transaction.ts";
export { tryApart } from "./try-apart.ts";
export { UnsafeIntegerError } from "./type-parsers.ts";
export { unlessTaken } from "./unless-taken.ts";
export { whenAvailable, type WhenAvailableOptions } from "./when-available.ts";
export { findEmbeddedUrl, startEmbeddedPostgres } from "./embedded-postgres.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./embedded-postgres.ts";
export { DataFolderInUseError, EmbeddedPostgresError } from "./embedded/errors.ts";
