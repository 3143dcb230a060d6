import { useEach } from "@gateway/testkit";
import { beforeEach, expect, test } from "vitest";
import { revokeCredentials } from "../../src/acts/revoke-credentials.ts";
import { resumeAccount, suspendAccount } from "../../src/acts/suspend-account.ts";
import { createEventStore } from "../events/event-store.ts";

const store = useEach(createEventStore, (made) => made.database.close());
let id: string;

beforeEach(async () => {
  id = store.accountId;
});

const recorded = async () => (await store.platform.audit.list({ accountId: id, limit: 100 })).items;

test("an account that is suspended and resumed says so, each once, and never the reason, which is for operators", async () => {
  const { transaction } = store.platform;
  for (const reason of ["Unpaid", "Still unpaid"]) {
    await transaction((services) => suspendAccount(services, { id, reason }));
  }
  for (const _ of [1, 2]) {
    await transaction((services) => resumeAccount(services, id));
  }
  const events = await recorded();
  expect(events.map(({ type, changes }) => ({ type, changes })).slice(0, -1)).toEqual([
    { type: "account.resumed", changes: [{ field: "isSuspended", before: true, after: false }] },
    { type: "account.suspended", changes: [{ field: "isSuspended", before: false, after: true }] },
  ]);
  expect(JSON.stringify(await store.database.kysely.selectFrom("audit_events").selectAll().execute())).not.toMatch(
    /unpaid/i,
  );
});

test("credentials that are revoked together are one event, which says how many", async () => {
  for (const name of ["one", "two"]) {
    await store.platform.accounts.apiKeys.create({ accountId: id, name, permission: "admin", expiresAt: null });
  }
  await store.platform.transaction((services) => revokeCredentials(services, { accountId: id }));
  expect((await recorded())[0]).toMatchObject({
    type: "account.credentials_revoked",
    resourceId: id,
    changes: [
      { field: "apiKeys", before: null, after: 2 },
      { field: "grants", before: null, after: 0 },
      { field: "sessions", before: null, after: 0 },
    ],
  });
});

test("a name that the account has already is no change", async () => {
  for (const _ of [1, 2]) {
    await store.platform.accounts.rename({ id, name: "Analytical Engines" });
  }
  expect((await recorded()).filter(({ type }) => type === "account.updated")).toHaveLength(1);
});
