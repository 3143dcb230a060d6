import type { NounDeps } from "../audit/index.ts";

export type FindUserNames = (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Dependencies of every noun of the accounts. */
export type AccountsDeps = NounDeps & {
  findUserNames: FindUserNames;
  /** Origins of our programs, as browsers know them. Applications may not be at one of these, nor at the console's. */
  ownOrigins: readonly string[];
};
