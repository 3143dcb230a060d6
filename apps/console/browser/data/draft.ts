type Values = Readonly<Record<string, string>>;

type Draft = { personId: string; address: string; title: string; values: Values; keptAtMs: number };

const storageKey = "draft";
/** Longer than a sign-in takes. */
const lifetimeMs = 10 * 60_000;

type Place = Pick<Draft, "personId" | "title">;

/**
 * Keeps the values of a dialog over the next sign-in, in this tab, at the same address, once, for ten minutes.
 * `personId` is a person's place in one account, so other users cannot read the values. Signing out deletes them
 * (`followSignOut`). No form accepts a secret.
 */
export function keepDraft(place: Place, values: Values): void {
  const draft: Draft = { ...place, address: addressNow(), values, keptAtMs: Date.now() };
  sessionStorage.setItem(storageKey, JSON.stringify(draft));
}

export function readDraft({ personId, title }: Place): Values | null {
  // Only `keepDraft` writes it.
  const draft = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as Draft | null;
  const isOfHere =
    draft?.personId === personId &&
    draft.title === title &&
    draft.address === addressNow() &&
    Date.now() - draft.keptAtMs < lifetimeMs;
  return isOfHere ? draft.values : null;
}

export function forgetDraft(): void {
  sessionStorage.removeItem(storageKey);
}

function addressNow(): string {
  return `${location.pathname}${location.search}`;
}
