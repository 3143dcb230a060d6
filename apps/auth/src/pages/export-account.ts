import { exportAccount } from "@gateway/platform/acts/export-account";
import { auditOriginOf } from "../browser/audit-origin.ts";
import type { Verdict } from "../browser/throttle.ts";
import { wholeForm } from "../views/form.ts";
import { findOwnAccount } from "./own-account.ts";
import { Refusal, type PageAnswer, type PageDeps, type SignedInVisit } from "./page.ts";
import { refuse } from "./tries.ts";

export async function showExport(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { platform } = deps;
  const { accountId, personId } = await findOwnAccount(visit, deps);
  refuseTooMany(await deps.throttle.export({ accountId }));
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

/** Throws a Refusal. Each export reads everything. */
function refuseTooMany(verdict: Verdict): void {
  if (verdict.kind === "allowed") {
    return;
  }
  const { status, retryAfterSeconds, faults } = refuse(
    verdict,
    "The data of an account can be downloaded five times an hour. Wait %s, then try again.",
  );
  throw new Refusal(status, {
    title: "The data was downloaded too often",
    message: faults[wholeForm] ?? "",
    retryAfterSeconds,
    waysOn: [{ label: "Back to your account", href: "/account" }],
  });
}
