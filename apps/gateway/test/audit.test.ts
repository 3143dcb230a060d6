import type { operations, OperationId } from "@gateway/contract";
import type { Account } from "@gateway/platform";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations, sampleRequest } from "./support/sample-request.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createTestGrant, mintToken, startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

type ChangingOperation = {
  [Id in OperationId]: (typeof operations)[Id]["method"] extends "get" ? never : Id;
}[OperationId];

/** What each operation that changes something leaves in the audit log; one that is missing here does not compile. */
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
  createWebhook: "webhook.created",
  updateWebhook: "webhook.updated",
  deleteWebhook: "webhook.deleted",
  disableWebhook: "webhook.disabled",
  enableWebhook: "webhook.enabled",
  replayDeliveries: "webhook.replayed",
  rollWebhookSecret: "webhook.secret_rolled",
  sendTestEvent: "webhook.tested",
  resendDelivery: "delivery.resent",
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

let issuer: TestIssuer;
let gateway: TestGateway;
let account: Account;
let key: { id: string; secret: string };

beforeAll(async () => {
  issuer = await startTestIssuer();
  gateway = await startTestGateway({ issuer });
  account = await gateway.createAccount();
  key = await gateway.createKey(account, "admin");
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
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

const changing = allOperations.filter(({ method }) => method !== "get");

/** Enabling what is enabled changes nothing, nor does the name that it has. */
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
    const grant = await createTestGrant(gateway, account);
    const headers = { Authorization: `Bearer ${await mintToken(issuer, grant)}` };
    const before = await newest();

    const answer = await gateway.call({ ...request, headers });

    expect(answer.status).toBeLessThan(300);
    expect((await since(before)).map(({ actor }) => actor)).toEqual([
      { type: "person", id: expect.stringMatching(/^per_/), applicationId: expect.stringMatching(/^app_/) },
    ]);
  });
});
