/** A mistake of ours: no credential outlives its account. */
export function noSuchAccount({ accountId }: { accountId: string }): Error {
  return new Error(`The account ${accountId} of a valid credential is gone.`);
}
