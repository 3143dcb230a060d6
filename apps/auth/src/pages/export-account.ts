import { exportAccount } from "@gateway/platform";
import { findOwnAccount } from "./own-account.ts";
import type { PageAnswer, PageDeps, SignedInVisit } from "./page.ts";

/** A file of all that the account owns, for its owners. */
export async function showExport(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { platform } = deps;
  const { accountId } = await findOwnAccount(visit, deps);
  const account = await platform.accounts.get(accountId);
  if (!account) {
    throw new Error(`The account ${accountId} of a person is gone.`);
  }
  return {
    kind: "download",
    fileName: `${accountId}.json`,
    mediaType: "application/json",
    chunks: exportAccount(platform, { account, ...deps }),
  };
}
