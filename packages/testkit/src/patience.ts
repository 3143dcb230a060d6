/**
 * For a database that a test opens, and whose limits are not what it is about: a busy machine may take longer than a
 * request may wait, and the result is as right.
 */
export const patience = { connectTimeoutMs: 60_000, queryTimeoutMs: 60_000 } as const;
