/** What `assets/password-strength.js`, which browsers run as it is, exports. */
export type StrengthOf = (
  password: string,
  of: { minLength: number; common: readonly string[]; own?: readonly string[] },
) => { level: 0 | 1 | 2 | 3; word: string };
