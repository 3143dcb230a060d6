/** What was asked for cannot be done as asked; the message says why and what to do instead. */
export class UsageError extends Error {}
