import type { CustodyDeps } from "./transfer-deps.ts";
import { invalidField, type Schemas } from "@gateway/contract";
import type { Kysely, Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { defaultRules, type PolicyRule } from "./judge-transfer.ts";
import type { OutgoingTables } from "./tables.ts";
import { simulatedOwnersOf } from "./transfer-deps.ts";

export type TransferPolicy = {
  rules: readonly PolicyRule[];
  /** Null for the default. */
  effectiveAt: Date | null;
  next: { rules: readonly PolicyRule[]; effectiveAt: Date } | null;
};

/** The time between a change and its effect, on the account's clock: long enough for another owner to see the mail. */
export const policyDelayMs = 24 * 60 * 60 * 1000;

type ReplaceInput = { accountId: string } & Schemas["TransferPolicyReplace"];

export function createTransferPolicies(db: Kysely<OutgoingTables>, deps: CustodyDeps) {
  return {
    get: async (accountId: string) => findPolicy(db, { accountId, nowMs: await deps.accountNow(db, accountId) }),
    /** Applies a day later. A change that does not apply yet is dropped. */
    replace: (input: ReplaceInput) => deps.inAccount(db, input.accountId, (trx) => replacePolicy(trx, deps, input)),
  };
}

/** The policy that applies at that time. */
export async function findPolicy(
  db: Kysely<OutgoingTables>,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<TransferPolicy> {
  const row = await db
    .selectFrom("transfer_policies")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return policyOf(row, nowMs);
}

async function replacePolicy(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { accountId, rules: asked }: ReplaceInput,
): Promise<TransferPolicy> {
  const nowMs = trx.now.getTime();
  const owners = (await deps.accounts.people.listOwners(accountId)).length + simulatedOwnersOf(deps);
  const rules = asked.map((rule, index) => ruleOf(rule, { index, owners }));
  const old = policyOf(
    await trx
      .selectFrom("transfer_policies")
      .selectAll()
      .where("account_id", "=", accountId)
      .forNoKeyUpdate()
      .executeTakeFirst(),
    nowMs,
  );
  const next = {
    rules: old.effectiveAt && JSON.stringify(old.rules),
    effective_at: old.effectiveAt,
    next_rules: JSON.stringify(rules),
    next_effective_at: new Date(nowMs + policyDelayMs),
  };
  const row = await trx
    .insertInto("transfer_policies")
    .values({ account_id: accountId, ...next })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(next))
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.recordAudit(trx, {
    accountId,
    type: "transfer_policy.replaced",
    resourceId: accountId,
    after: { rules: rules.map(describeRule), effectiveAt: next.next_effective_at.toISOString() },
  });
  return policyOf(row, nowMs);
}

type AskedRule = Schemas["TransferPolicyRuleReplace"];

function ruleOf(
  { currency, minimumAmount, destination, action, requiredApprovals }: AskedRule,
  { index, owners }: { index: number; owners: number },
): PolicyRule {
  const field = `rules.${index}.requiredApprovals`;
  if (action !== "require_approval") {
    if (requiredApprovals !== undefined) {
      throw invalidField(field, "is allowed only with the action require_approval");
    }
    return { currency, minimumMinor: minimumAmount, destination, action, requiredApprovals: null };
  }
  if (requiredApprovals === undefined) {
    throw invalidField(field, "is required with the action require_approval");
  }
  if (requiredApprovals > owners - 1) {
    throw invalidField(
      field,
      `must be less than the number of owners, ${owners}: the person who creates a transfer does not approve it`,
    );
  }
  return { currency, minimumMinor: minimumAmount, destination, action, requiredApprovals };
}

function policyOf(row: Selectable<OutgoingTables["transfer_policies"]> | undefined, nowMs: number): TransferPolicy {
  if (!row) {
    return { rules: defaultRules, effectiveAt: null, next: null };
  }
  const next = { rules: row.next_rules, effectiveAt: row.next_effective_at };
  return next.effectiveAt.getTime() <= nowMs
    ? { ...next, next: null }
    : { rules: row.rules ?? defaultRules, effectiveAt: row.effective_at, next };
}

/** The form for the audit log, which stores strings. */
function describeRule({ currency, minimumMinor, destination, action, requiredApprovals }: PolicyRule): string {
  return [currency, `from ${minimumMinor}`, `to ${destination}`, action, requiredApprovals ?? ""].join(" ").trimEnd();
}
