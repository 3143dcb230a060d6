/** What those need who rely on a verification. `validUntil` is null of one that is not verified. */
export type AskedVerification = { isVerified: boolean; validUntil: Date | null };

/** The identity service of somebody else. Called in no transaction; rejects with the refusal that the caller gets. */
export interface Verifications {
  /** Null: there is none. */
  read(own: { accountId: string; id: string }): Promise<AskedVerification | null>;
}
