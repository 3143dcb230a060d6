import { UsageError } from "./arguments.ts";

export function noSuchAccount(id: string): UsageError {
  return new UsageError(`There is no account ${id}; npm run --silent admin -- accounts list shows them.`);
}
