/** An application sees its own calls alone. `onlyOf`: its id; null: whoever asks sees all of the account. */
export type Viewer = { accountId: string; onlyOf: string | null };
