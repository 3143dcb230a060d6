const lockNotAvailable = "55P03";

/** True when a statement waited longer than `lock_timeout`. Kysely wraps what a migration threw, so causes count. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  return ("code" in error && error.code === lockNotAvailable) || isLockTimeout(error.cause);
}
