/** An external identity service. Called in no transaction; rejects with the refusal that the caller gets. */
export interface Verifications {
  /** In ms since 1970. Null: it is not verified, or there is none. */
  readValidUntil(own: { accountId: string; id: string }): Promise<number | null>;
}
