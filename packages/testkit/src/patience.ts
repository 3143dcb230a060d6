/**
 * Limits of a database in a test that is not about these limits. A busy machine may exceed the limits of a request, and
 * the result is still right.
 */
export const patience = { connectTimeoutMs: 60_000, queryTimeoutMs: 60_000 } as const;
