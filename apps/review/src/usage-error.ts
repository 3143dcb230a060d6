/** A request that cannot be carried out. The message says why and what to do instead. */
export class UsageError extends Error {}
