import { openDatabase } from "@gateway/database";
import { operations, type OperationId } from "@gateway/contract";
import { chainFactIds } from "@gateway/platform/custody";
import { kycFactIds } from "@gateway/platform/identity";
import { railFactIds } from "@gateway/platform/orchestra";
import type { PlannedFact } from "@gateway/ports";
import { waitFor, patience } from "@gateway/testkit";
import { sql, type Kysely } from "kysely";
import { expect, test } from "vitest";
import { fireTimer } from "./support/fire-timer.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

type Case = {
  operation: OperationId;
  outcome: string;
  /** Table of the resource that the fact is about. */
  table: string;
  planned(id: string): PlannedFact;
};

const cases: Case[] = [
  {
    operation: "simulatePayment",
    outcome: "settled",
    table: "payments",
    planned: (paymentId) => ({
      port: "rail",
      factId: railFactIds.outcome(paymentId),
      afterMs: 0,
      fact: { type: "refused", paymentId, code: "rail_refused" },
    }),
  },
  {
    operation: "simulatePayment",
    outcome: "failed",
    table: "payments",
    planned: (paymentId) => ({
      port: "rail",
      factId: railFactIds.returned(paymentId),
      afterMs: 0,
      fact: { type: "returned", paymentId, amountMinor: 1 },
    }),
  },
  {
    operation: "simulateTransfer",
    outcome: "completed",
    table: "transfers",
    planned: (transferId) => ({
      port: "chain",
      factId: chainFactIds.outcome(transferId),
      afterMs: 0,
      fact: { type: "dropped", transferId, transactionHash: null },
    }),
  },
  {
    operation: "simulateKycVerification",
    outcome: "verified",
    table: "kyc_verifications",
    planned: (verificationId) => ({
      port: "kycEngine",
      factId: kycFactIds.check(verificationId),
      afterMs: 0,
      fact: { type: "failed", verificationId, check: "document", code: "document_refused" },
    }),
  },
];

const { gateway } = useGatewayAtNoon();

test.each(cases)(
  "$operation of $outcome and the worker that tells what was planned do not wait for each other in a circle",
  async ({ operation, outcome, table, planned }) => {
    const { database, platform, databaseUrl } = gateway;
    const { id: accountId, key } = await createCaller();
    const request = await sampleRequest(operations[operation], { platform, database, accountId });
    const id = request.target.split("/").at(-2) ?? "";
    await platform.work.plannedFacts.plan({ accountId, facts: [planned(id)] });
    const { rows } = await sql<{ id: string }>`select id from planned_facts where account_id = ${accountId}`.execute(
      database.kysely,
    );
    const others = openDatabase<object>({ url: databaseUrl, maxConnections: 2, ...patience, applicationName: "test" });
    const holder = await others.kysely.startTransaction().execute();
    await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(holder);
    const simulated = gateway.call({ ...request, body: { outcome }, key });
    await waitFor(async () => (await countWaiting(others.kysely)) === 1);
    const told = fireTimer(gateway, { kind: "fact.tell", subjectId: rows[0]?.id ?? "" });
    await waitFor(async () => (await countWaiting(others.kysely)) === 2);
    await holder.commit().execute();
    const [answer] = await Promise.all([simulated, told]);
    expect(answer).toMatchObject({ status: 200, json: { data: { status: outcome } } });
    const open = await platform.work.inbox.listOpen(1_000);
    expect(open.filter(({ subjectId }) => subjectId === id)).toEqual([]);
    await others.close();
  },
);

async function createCaller(): Promise<{ id: string; key: string }> {
  const account = await gateway.createAccount();
  const { secret } = await gateway.createKey(account, "admin");
  return { id: account.id, key: secret };
}

async function countWaiting(kysely: Kysely<object>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
  `.execute(kysely);
  return rows.length;
}
