/** An application sees only its own requests. `onlyOf`: its id; null: the caller sees all of the account. */
export type Viewer = { accountId: string; onlyOf: string | null };
