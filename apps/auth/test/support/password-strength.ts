/** The exports of `assets/password-strength.js`, which browsers run unchanged. */
export type StrengthOf = (
  password: string,
  of: { minLength: number; common: readonly string[]; own?: readonly string[] },
) => { level: 0 | 1 | 2 | 3; word: string };
