import { invalidField } from "@gateway/contract";

/** Following walks one index: what it does not tell apart is refused, and not left out in silence. */
export function refuseBesideFollowing(
  others: Readonly<Record<string, string | number | undefined>>,
  following: string,
): void {
  const beside = Object.keys(others).find((name) => others[name] !== undefined);
  if (beside !== undefined) {
    throw invalidField(beside, `must not be sent beside ${following}`);
  }
}
