import type { Schemas } from "@gateway/contract";
import type { Role } from "@gateway/platform/accounts";
import { ledgerAccountIdOf, type LedgerPlace, type Wallet } from "@gateway/platform/ledger";
import type { TransferFact } from "@gateway/ports";
import { digestDatabase } from "@gateway/testkit";
import { expect } from "vitest";
import { codeOf, dataOf } from "./answers.ts";
import { createApiClient, createFundedWallet, type ApiClient } from "./api-client.ts";
import { fireTimer } from "./fire-timer.ts";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestIssuer } from "./test-issuer.ts";

export type TransferBody = Schemas["CustodyTransfer"];
export type ApprovalBody = Schemas["CustodyApproval"];

/** Amount of USDC at which a transfer begins to need an approval. */
export const thresholdMinor = 1_000_000_000;
export const dayMs = 86_400_000;
export const ethereumAddress = "0x52908400098527886e0f7030069857d2e4169ee7";
/** Hash of a transaction on a network that reports no other facts. */
export const transactionHash = `0x${"1".repeat(64)}`;

type Headers = Record<string, string>;

/** A user who has just signed in, with a token of the console unless `isConsole` is false. */
export type SignedIn = { personId: string; userId: string; headers: Headers };

/** An account with a wallet that has USDC 10,000, and the calls of tests about transfers and payments. */
export type CustodyClient = ApiClient & {
  walletId: string;
  signIn(as?: { role?: Role; ownerForMs?: number; isConsole?: boolean; userId?: string }): Promise<SignedIn>;
  /** Creates a key with the client's key, or with the person's headers. */
  createKey(by?: Headers): Promise<{ id: string; headers: Headers }>;
  createWallet(currency?: Wallet["currency"], amountMinor?: number): Promise<string>;
  balanceOf(walletId?: string): Promise<Schemas["Balance"]>;
  /** Sends USDC 5, unless `change` says otherwise. */
  send(change?: object, headers?: Headers): Promise<Answer>;
  /** Calls `send`, which must succeed. */
  sent(change?: object, headers?: Headers): Promise<TransferBody>;
  /** A transfer that waits for its approval. */
  waiting(headers?: Headers): Promise<TransferBody & { approvalId: string }>;
  transfer(id: string): Promise<TransferBody>;
  approval(id: string): Promise<ApprovalBody>;
  cancel(id: string): Promise<Answer>;
  decide(approvalId: string, decision: "approve" | "reject", by?: SignedIn): Promise<Answer>;
  simulate(noun: "transfers" | "approvals", id: string, outcome: string): Promise<Answer>;
  advance(seconds: number): Promise<unknown>;
  /** Sets a policy with this number of approvals for each transfer, as if it had been requested a day ago. */
  requireApprovals(requiredApprovals: number): Promise<void>;
  /** Expects this refusal, and that nothing is written. */
  expectRefused(code: string, ask: () => Promise<Answer>): Promise<void>;
  /** Does a worker's part when the transfer is to be sent. */
  submit(transferId: string): Promise<void>;
  /** Sends a fact like an adapter. */
  tell(fact: TransferFact, factId?: string): Promise<string>;
  /** Events of a transfer or a payment, oldest first. */
  events(id: string): Promise<{ type: string; created: string; object: object }[]>;
  /** Postings of a transfer or a payment, oldest first: `hold: debit available 5, credit held 5`. */
  postings(of: Pick<Schemas["Payment"], "id" | "walletId" | "currency">): Promise<string[]>;
};

export async function createCustodyClient(gateway: TestGateway, issuer: TestIssuer): Promise<CustodyClient> {
  const api = await createApiClient(gateway);
  const { account, call, get } = api;
  const accountId = account.id;
  const createWallet: CustodyClient["createWallet"] = (currency = "USDC", amountMinor = 10_000_000_000) =>
    createFundedWallet(gateway, { accountId, currency, amountMinor });
  const walletId = await createWallet();
  const send: CustodyClient["send"] = (change = {}, headers) =>
    call(
      "POST",
      "/transfers",
      { walletId, amount: 5_000_000, destinationAddress: ethereumAddress, ...change },
      headers,
    );
  return {
    ...{ ...api, walletId, createWallet, send },
    signIn: async ({ role = "owner", ownerForMs = 30 * dayMs, isConsole = true, userId } = {}) => {
      const grant = await createTestGrant(gateway, account, { role, isConsole, userId });
      if (role === "owner") {
        await gateway.database.kysely
          .updateTable("people")
          .set({ owner_since: new Date(Date.now() - ownerForMs) })
          .where("id", "=", grant.personId)
          .execute();
      }
      const claims = { auth_time: Math.floor(Date.now() / 1000) };
      const { personId } = grant;
      return { personId, userId: grant.userId, headers: bearer(await mintToken(issuer, grant, { claims })) };
    },
    createKey: async (by) => {
      const made = api.ask<Schemas["ApiKeyWithSecret"]>("POST", "/api-keys", { name: "Made", permission: "admin" }, by);
      const { id, secret } = await made;
      return { id, headers: { "X-API-Key": secret } };
    },
    balanceOf: async (id = walletId) => (await get<Schemas["Wallet"]>(`/wallets/${id}`)).balance,
    sent: async (change, headers) => dataOf(await send(change, headers), 201),
    waiting: async (headers) => {
      const transfer = dataOf<TransferBody>(await send({ amount: thresholdMinor }, headers), 201);
      return { ...transfer, approvalId: String(transfer.approvalId) };
    },
    transfer: (id) => get(`/transfers/${id}`),
    approval: (id) => get(`/approvals/${id}`),
    cancel: (id) => call("POST", `/transfers/${id}/cancel`),
    decide: (id, decision, by) => call("POST", `/approvals/${id}/${decision}`, {}, by?.headers),
    simulate: (noun, id, outcome) => call("POST", `/sandbox/${noun}/${id}/simulate`, { outcome }),
    advance: (seconds) => api.ask("POST", "/sandbox/clock/advance", { seconds }),
    requireApprovals: async (requiredApprovals) => {
      const rule = { currency: "any", destination: "any", action: "require_approval", minimumMinor: 0 };
      await gateway.database.kysely
        .insertInto("transfer_policies")
        .values({
          account_id: accountId,
          next_rules: JSON.stringify([{ ...rule, requiredApprovals }]),
          next_effective_at: new Date(Date.now() - 1_000),
        })
        .execute();
    },
    expectRefused: async (code, ask) => {
      const before = await digestDatabase(gateway.database);
      const answer = await ask();
      expect(codeOf(answer), answer.text).toBe(code);
      expect(await digestDatabase(gateway.database)).toEqual(before);
    },
    submit: (subjectId) => fireTimer(gateway, { kind: "transfer.submit", subjectId }),
    tell: (fact, factId = JSON.stringify(fact)) =>
      gateway.platform.inAccount(accountId, ({ work }) =>
        work.inbox.receive({ port: "chain", factId, accountId, fact }),
      ),
    events: async (id) => {
      const events = await get<{ type: string; created: string; data: { object: Caused } }[]>("/events?limit=100");
      return events
        .map(({ type, created, data: { object } }) => ({ type, created, object }))
        .filter(({ object }) => [object.id, object.transferId, object.cause?.id].includes(id))
        .reverse();
    },
    postings: async ({ id, walletId: from, currency }) => {
      const places: LedgerPlace[] = [
        ...(["available", "held"] as const).map((part) => ({ kind: "wallet", walletId: from, part }) as const),
        ...(["chain", "rail", "fees"] as const).map((part) => ({ kind: "clearing", currency, part }) as const),
      ];
      const names = new Map(
        places.map((place) => [ledgerAccountIdOf(place, accountId), "part" in place ? place.part : ""]),
      );
      const booked = await get<Schemas["LedgerTransaction"][]>(`/ledger-transactions?cause=${id}`);
      return booked.reverse().map(({ kind, entries }) => {
        const sides = entries.map((one) => `${one.direction} ${names.get(one.ledgerAccountId)} ${one.amount}`);
        return `${kind}: ${sides.join(", ")}`;
      });
    },
  };
}

type Caused = { id?: string; transferId?: string; cause?: { id: string } | null };

/**
 * Sends the request again while the platform is unavailable, as clients do. On a busy machine too many requests may
 * wait for one row.
 */
export async function untilAvailable(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let again = 0; again < 10 && answer.status === 503; again += 1) {
    answer = await ask();
  }
  return answer;
}
