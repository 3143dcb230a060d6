import type { Account, Permission } from "@gateway/platform/accounts";
import { postedOrThrow, type Wallet } from "@gateway/platform/ledger";
import { expect } from "vitest";
import { dataOf } from "./answers.ts";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";

type Headers = Record<string, string | string[]>;

/** An account with a key that has no maker, and its calls. Paths are those below `/api/v1`. */
export type ApiClient = {
  account: Account;
  key: string;
  keyId: string;
  /** Calls with the key, unless other headers hold a credential. */
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  /** Data of a response that must succeed. */
  ask<Data>(method: string, path: string, body?: unknown, headers?: Headers): Promise<Data>;
  get<Data>(path: string): Promise<Data>;
  /** Returns the id of the created resource. */
  create(path: string, body: object, headers?: Headers): Promise<string>;
  /** All items of a list, a page at a time. */
  walk<Item>(path: string, limit: number): Promise<Item[]>;
  /** Expects that the list has, by each query, the items of the whole list whose fields have the query's values. */
  expectFilters(path: string, queries: readonly string[]): Promise<void>;
};

export async function createApiClient(
  gateway: TestGateway,
  permission: Permission = "admin",
  known?: Account,
): Promise<ApiClient> {
  const account = known ?? (await gateway.createAccount());
  const { id: keyId, secret: key } = await gateway.createKey(account, permission);
  const call: ApiClient["call"] = (method, path, body, headers = {}) => {
    const credential = "Authorization" in headers || "X-API-Key" in headers ? {} : { "X-API-Key": key };
    const sent = { ...credential, ...headers };
    return gateway.call({ method, target: `/api/v1${path}`, headers: sent, ...(body !== undefined && { body }) });
  };
  const ask: ApiClient["ask"] = async <Data>(...request: Parameters<ApiClient["call"]>) => {
    const answer = await call(...request);
    return dataOf<Data>(answer, answer.status < 300 ? answer.status : 200);
  };
  return {
    ...{ account, key, keyId, call, ask },
    get: (path) => ask("GET", path),
    create: async (...request) => (await ask<{ id: string }>("POST", ...request)).id,
    walk: async <Item>(path: string, limit: number) => {
      const items: Item[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const query = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const page = await call("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`);
        items.push(...dataOf<Item[]>(page));
        cursor = (page.json as { meta: { nextCursor: string | null } }).meta.nextCursor;
      }
      return items;
    },
    expectFilters: async (path, queries) => {
      const all = await ask<Record<string, unknown>[]>("GET", path);
      expect(all.length).toBeGreaterThan(1);
      for (const query of queries) {
        const values = [...new URLSearchParams(query)];
        const fits = all.filter((item) => values.every(([name, value]) => item[name] === value));
        expect(await ask("GET", `${path}?${query}`), query).toEqual(fits);
      }
    },
  };
}

/** Creates a wallet of an account. Its money comes from the clearing account of equity. */
export async function createFundedWallet(
  { platform: { ledger } }: Pick<TestGateway, "platform">,
  { accountId, currency, amountMinor = 0 }: { accountId: string; currency: Wallet["currency"]; amountMinor?: number },
): Promise<string> {
  const { id } = await ledger.wallets.create({ accountId, name: "Main", currency, metadata: {} });
  if (amountMinor > 0) {
    const funding = await ledger.transactions.post({
      ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
      entries: [
        { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
        { place: { kind: "wallet", walletId: id, part: "available" }, direction: "credit", amountMinor },
      ],
    });
    postedOrThrow(funding);
  }
  return id;
}
