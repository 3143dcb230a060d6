import { useEach } from "@gateway/testkit";
import { expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import { createCustodyClient } from "./support/custody-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const issuer = useIssuer();
const gateway = useGateway({ issuer });
const client = useEach(() => createCustodyClient(gateway, issuer));

type Kept = { id: string; type: string; request_id: string | null };

const readKept = (accountId: string): Promise<Kept[]> =>
  gateway.database.kysely
    .selectFrom("events")
    .select(["id", "type", "request_id"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();

test("what a request causes has its id, also by one statement; what a timer causes has none", async () => {
  const { account } = client;
  const walletId = await client.createWallet("EUR", 1_000_000);
  const made = await client.call("POST", "/counterparties", {
    name: "Grace Hopper",
    currency: "EUR",
    accountNumber: "DE94370400440532010000",
  });
  const { id: counterpartyId } = dataOf<{ id: string }>(made, 201);
  const before = (await readKept(account.id)).length;
  const body = { walletId, amount: 1_000, destination: { counterpartyId } };
  const answer = await client.call("POST", "/payments", body);
  const requestId = String(answer.headers["x-request-id"]);
  await client.advance(3_600);

  const kept = (await readKept(account.id)).slice(before);
  expect(kept.map(({ type, request_id }) => [type, request_id])).toEqual([
    ["payment.initiated", requestId],
    ["wallet.balance_changed", requestId],
    ["payment.settled", null],
    ["wallet.balance_changed", null],
  ]);
  const caused = kept.filter(({ request_id }) => request_id === requestId).map(({ id }) => id);
  const { events } = gateway.platform;
  expect(await events.idsOfRequest({ accountId: account.id, requestId })).toEqual(caused);
  const other = await gateway.createAccount();
  expect(await events.idsOfRequest({ accountId: other.id, requestId })).toEqual([]);
});
