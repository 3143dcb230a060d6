import { UsageError } from "./arguments.ts";

/** What was found of an account. Null is a UsageError: there is no such account. */
export function ofAccount<Found>(found: Found | null, id: string): Found {
  if (found === null) {
    throw new UsageError(`There is no account ${id}; npm run --silent admin -- accounts list shows them.`);
  }
  return found;
}
