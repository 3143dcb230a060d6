import type { Executor } from "@gateway/database";
import type { AuditEventType, NounDeps } from "../audit/index.ts";

export type AuthServiceDeps = NounDeps & {
  /** See the accounts. */
  livingGrants: string;
  /** Provided by the accounts: the places of a user. */
  listPlaces: (db: Executor, userId: string) => Promise<readonly { accountId: string; personId: string }[]>;
};

/** Records a change of a user's sign-in factors in each of their accounts, as made by their person there. */
export async function recordUserAudit(
  trx: Executor,
  { recordAudit, listPlaces }: Pick<AuthServiceDeps, "recordAudit" | "listPlaces">,
  {
    userId,
    ...change
  }: { userId: string; type: AuditEventType; before?: object | undefined; after?: object | undefined },
): Promise<void> {
  for (const { accountId, personId } of await listPlaces(trx, userId)) {
    const actor = { type: "person", id: personId, applicationId: null } as const;
    await recordAudit(trx, { ...change, accountId, resourceId: personId, actor });
  }
}
