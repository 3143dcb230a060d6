import { exportAccount } from "@gateway/platform";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { findOwnAccount } from "./own-account.ts";
import type { PageAnswer, PageDeps, SignedInVisit } from "./page.ts";

/** A file of all that the account owns, for its owners. */
export async function showExport(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { platform } = deps;
  const { accountId, personId } = await findOwnAccount(visit, deps);
  const account = await platform.accounts.get(accountId);
  if (!account) {
    throw new Error(`The account ${accountId} of a person is gone.`);
  }
  await platform.transaction(
    ({ audit }) => audit.record({ accountId, type: "account.exported", resourceId: accountId }),
    { origin: auditOriginOf(visit.req, personId) },
  );
  return {
    kind: "download",
    fileName: `${accountId}.json`,
    mediaType: "application/json",
    chunks: exportAccount(platform, { account, ...deps }),
  };
}
