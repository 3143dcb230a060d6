import type { operations, OperationId } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid } from "./support/answers.ts";
import { allOperations } from "./support/document-request.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type ChangingOperation = {
  [Id in OperationId]: (typeof operations)[Id]["method"] extends "get" ? never : Id;
}[OperationId];

/** The audit event of each changing operation. An operation that is missing here does not compile. */
const recorded: Record<ChangingOperation, string> = {
  updateAccount: "account.updated",
  createApiKey: "api_key.created",
  revokeApiKey: "api_key.revoked",
  rollApiKey: "api_key.rolled",
  createOauthApplication: "application.created",
  updateOauthApplication: "application.updated",
  deleteOauthApplication: "application.deleted",
  invitePerson: "person.invited",
  updatePerson: "person.role_changed",
  removePerson: "person.removed",
  createWallet: "wallet.created",
  updateWallet: "wallet.updated",
  freezeWallet: "wallet.frozen",
  unfreezeWallet: "wallet.unfrozen",
  closeWallet: "wallet.closed",
  fundWallet: "wallet.funded",
  createLedgerAccount: "ledger_account.created",
  createLedgerTransaction: "ledger_transaction.created",
  reverseLedgerTransaction: "ledger_transaction.reversed",
  createCounterparty: "counterparty.created",
  deleteCounterparty: "counterparty.archived",
  createKycVerification: "kyc_verification.created",
  decideKycVerification: "kyc_verification.decided",
  deleteKycPersonalData: "kyc_verification.personal_data_deleted",
  simulateKycVerification: "kyc_verification.simulated",
  createPayment: "payment.created",
  cancelPayment: "payment.canceled",
  createDepositAddress: "deposit_address.created",
  simulateDeposit: "deposit.simulated",
  simulateDepositOutcome: "deposit.simulated",
  createTransfer: "transfer.created",
  cancelTransfer: "transfer.canceled",
  simulateTransfer: "transfer.simulated",
  approveApproval: "approval.approved",
  rejectApproval: "approval.rejected",
  simulateApproval: "approval.approved",
  replaceTransferPolicy: "transfer_policy.replaced",
  createAddressBookEntry: "address_book_entry.created",
  deleteAddressBookEntry: "address_book_entry.deleted",
  createValuation: "valuation.created",
  createWebhook: "webhook.created",
  updateWebhook: "webhook.updated",
  deleteWebhook: "webhook.deleted",
  disableWebhook: "webhook.disabled",
  enableWebhook: "webhook.enabled",
  replayDeliveries: "webhook.replayed",
  rollWebhookSecret: "webhook.secret_rolled",
  sendTestEvent: "webhook.tested",
  resendDelivery: "delivery.resent",
  advanceSandboxClock: "account.clock_advanced",
  setSandboxPrice: "account.price_set",
  simulatePayment: "payment.simulated",
  createOrder: "order.created",
  cancelOrder: "order.cancel_requested",
  replaceOrder: "order.created",
};

type Event = {
  id: string;
  type: string;
  actor: object;
  resourceId: string | null;
  changes: { field: string; before: unknown; after: unknown }[];
  clientAddress: string | null;
  requestId: string | null;
};

let account: Account;
let key: { id: string; secret: string };
/** One for all tests, because an account has a limited number of applications. */
let grant: TestGrant;

const issuer = useIssuer();
const gateway = useGateway({ issuer });
beforeAll(async () => {
  account = await gateway.createAccount();
  key = await gateway.createKey(account, "admin");
  grant = await createTestGrant(gateway, account);
});

const page = async (query = ""): Promise<Event[]> => {
  const { status, json } = await gateway.call({ target: `/api/v1/audit-events${query}`, key: key.secret });
  expect(status).toBe(200);
  return (json as { data: Event[] }).data;
};
const newest = async (): Promise<string | undefined> => (await page("?limit=1"))[0]?.id;
const since = async (id: string | undefined): Promise<Event[]> => {
  const events = await page("?limit=100");
  return events.slice(
    0,
    events.findIndex((event) => event.id === id),
  );
};

// Operations for people are covered by approvals.edge.test.ts and transfer-policy.edge.test.ts.
const changing = allOperations.filter(({ method, personRequired }) => method !== "get" && !personRequired);

/** Changes the resource first: enabling an enabled webhook changes nothing, nor does setting the current name. */
const isPrepared: Partial<Record<string, (target: string) => Promise<unknown>>> = {
  updateAccount: () => gateway.platform.accounts.rename({ id: account.id, name: "Another" }),
  enableWebhook: (target) => gateway.platform.events.webhooks.disable(ownOf(target)),
};
const ownOf = (target: string): { id: string; accountId: string } => ({
  id: target.split("/")[4] ?? "",
  accountId: account.id,
});

describe.each(changing)("$operationId", (operation) => {
  test("writes one audit event, by the key that asked, from its address, in its request; a refusal writes none", async () => {
    const request = await sampleRequest(operation, { platform: gateway.platform, accountId: account.id });
    await isPrepared[operation.operationId]?.(request.target);
    const before = await newest();

    const answer = await gateway.call({ ...request, key: key.secret });

    expect(answer.status).toBeLessThan(300);
    const events = await since(before);
    expect(events).toMatchObject([
      {
        type: recorded[operation.operationId as ChangingOperation],
        actor: { type: "apiKey", id: key.id, applicationId: null },
        clientAddress: expect.stringMatching(/127\.0\.0\.1$/),
        requestId: answer.headers["x-request-id"],
        resourceId: expect.any(String),
      },
    ]);
    const reader = await gateway.createKey(account, "read");
    const last = await newest();
    await gateway.call({ ...request, key: reader.secret });
    expect(await since(last)).toEqual([]);
  });

  test("by a token: the person, and the application that acted for them", async () => {
    const request = await sampleRequest(operation, { platform: gateway.platform, accountId: account.id });
    await isPrepared[operation.operationId]?.(request.target);
    const headers = { Authorization: `Bearer ${await mintToken(issuer, grant)}` };
    const before = await newest();

    const answer = await gateway.call({ ...request, headers });

    expect(answer.status).toBeLessThan(300);
    expect((await since(before)).map(({ actor }) => actor)).toEqual([
      { type: "person", id: expect.stringMatching(/^per_/), applicationId: expect.stringMatching(/^app_/) },
    ]);
  });
});

describe("the list", () => {
  test("is asked by type, by actor or by what was changed, one at a time; and by another account not at all", async () => {
    const [event] = await page("?limit=1");
    const { id, type } = event ?? { id: "", type: "" };
    expect((await page(`?type=${type}`)).every((one) => one.type === type)).toBe(true);
    expect((await page(`?actorId=${key.id}`)).map(({ actor }) => actor)).toContainEqual({
      type: "apiKey",
      id: key.id,
      applicationId: null,
    });
    expect((await page(`?resourceId=${key.id}`)).map((one) => one.type)).toEqual(["api_key.created"]);
    const twice = await gateway.call({
      target: `/api/v1/audit-events?type=${type}&actorId=${key.id}`,
      key: key.secret,
    });
    expect(twice).toMatchObject(invalid("actorId"));

    const other = await gateway.createKey(await gateway.createAccount(), "admin");
    const stranger = await gateway.call({ target: `/api/v1/audit-events/${id}`, key: other.secret });
    expect(stranger.status).toBe(404);
  });

  test("says what changed, before and after, and nothing when nothing did", async () => {
    const { id } = await gateway.createKey(account, "read");
    const revoke = { method: "DELETE", target: `/api/v1/api-keys/${id}`, key: key.secret };
    await gateway.call(revoke);
    await gateway.call(revoke);
    const events = await page(`?resourceId=${id}`);
    expect(events.map(({ type, changes }) => [type, changes.map(({ field }) => field)])).toEqual([
      ["api_key.revoked", ["status", "revokedAt"]],
      ["api_key.created", ["permission", "hint", "status", "name"]],
    ]);
    expect(events[0]?.changes[0]).toEqual({ field: "status", before: "active", after: "revoked" });
  });
});
