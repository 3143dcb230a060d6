import { UsageError } from "./arguments.ts";

/** Returns what was found. Throws a UsageError for null, because the account does not exist. */
export function ofAccount<Found>(found: Found | null, id: string): Found {
  if (found === null) {
    throw new UsageError(`There is no account ${id}; npm run --silent admin -- accounts list shows them.`);
  }
  return found;
}
