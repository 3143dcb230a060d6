import type { Schemas } from "@gateway/contract";
import type { Wallet } from "@gateway/platform/ledger";
import type { VenueFact } from "@gateway/ports";
import { dataOf } from "./answers.ts";
import { createApiClient, createFundedWallet, type ApiClient } from "./api-client.ts";
import { fireTimer } from "./fire-timer.ts";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";

export type OrderBody = Schemas["Order"];
type FillBody = Schemas["Fill"];

/** Fields of a fill that a test sets; the others have defaults. */
type FillTold = Partial<Extract<VenueFact, { type: "filled" }>>;

/** An account with 1 BTC and USD 1,000,000.00, and the calls that tests of orders make for it. */
export type OrderClient = Omit<ApiClient, "get"> & {
  base: string;
  quote: string;
  createWallet(currency: Wallet["currency"], amountMinor: number): Promise<string>;
  balanceOf(walletId: string): Promise<Schemas["Balance"]>;
  /** A limit buy of 0.1 BTC at 50,000.00, unless `change` says otherwise. */
  send(change?: object): Promise<Answer>;
  /** Calls `send`, which must succeed. */
  sent(change?: object): Promise<OrderBody>;
  /** Calls `sent`, and the venue accepts the order. */
  opened(change?: object): Promise<OrderBody>;
  get(id: string): Promise<OrderBody>;
  fills(id: string): Promise<FillBody[]>;
  cancel(id: string): Promise<Answer>;
  replace(id: string, change: object): Promise<Answer>;
  /** Calls `replace`, which must succeed. */
  replaced(id: string, change: object): Promise<OrderBody>;
  /** Sends a fact like an adapter, with an id of its own unless one is given. */
  tell(fact: VenueFact, factId?: string): Promise<string>;
  fill(orderId: string, change: FillTold & { quantityMinor: number }, factId?: string): Promise<string>;
  end(orderId: string, type: "canceled" | "expired" | "replaced", filledQuantityMinor: number): Promise<string>;
  advance(seconds: number): Promise<unknown>;
  /** Does a worker's part when the work is due. */
  fire(kind: string, orderId: string): Promise<void>;
};

export async function createOrderClient(gateway: TestGateway): Promise<OrderClient> {
  const { get, ...api } = await createApiClient(gateway, "write");
  const { account, call } = api;
  const accountId = account.id;
  const createWallet: OrderClient["createWallet"] = (currency, amountMinor) =>
    createFundedWallet(gateway, { accountId, currency, amountMinor });
  const base = await createWallet("BTC", 100_000_000);
  const quote = await createWallet("USD", 100_000_000);
  const send: OrderClient["send"] = (change = {}) =>
    call("POST", "/orders", {
      ...{ symbol: "BTC-USD", side: "buy", type: "limit", quantity: 10_000_000, limitPrice: "50000.00" },
      ...{ baseWalletId: base, quoteWalletId: quote },
      ...change,
    });
  const sent: OrderClient["sent"] = async (change) => dataOf(await send(change), 201);
  const tell: OrderClient["tell"] = (fact, factId = crypto.randomUUID()) =>
    gateway.platform.inAccount(accountId, ({ work }) => work.inbox.receive({ port: "venue", factId, accountId, fact }));
  const replace: OrderClient["replace"] = (id, change) => call("POST", `/orders/${id}/replace`, change);
  return {
    ...{ ...api, base, quote, createWallet, send, sent, tell, replace },
    balanceOf: async (id) => (await get<Schemas["Wallet"]>(`/wallets/${id}`)).balance,
    opened: async (change) => {
      const order = await sent(change);
      await tell({ type: "accepted", orderId: order.id });
      return order;
    },
    get: (id) => get(`/orders/${id}`),
    fills: (id) => get(`/fills?orderId=${id}&limit=100`),
    cancel: (id) => call("POST", `/orders/${id}/cancel`),
    replaced: async (id, change) => dataOf(await replace(id, change), 201),
    fill: (orderId, change, factId) =>
      tell(
        {
          ...{ type: "filled", orderId, venueFillId: factId ?? crypto.randomUUID(), price: "50000.00" },
          ...{ liquidity: "taker", last: null, executedAtMs: Date.now() },
          ...change,
        },
        factId,
      ),
    end: (orderId, type, filledQuantityMinor) => tell({ type, orderId, filledQuantityMinor }),
    advance: (seconds) => api.ask("POST", "/sandbox/clock/advance", { seconds }),
    fire: (kind, subjectId) => fireTimer(gateway, { kind, subjectId }),
  };
}
