import type { Schemas } from "@gateway/contract";
import type { Wallet } from "@gateway/platform/ledger";
import type { VenueFact } from "@gateway/ports";
import { dataOf } from "./answers.ts";
import { createApiClient, createFundedWallet, type ApiClient } from "./api-client.ts";
import { fireTimer } from "./fire-timer.ts";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";

export type OrderBody = Schemas["Order"];
export type FillBody = Schemas["Fill"];

/** What a venue says of a fill, but for what tests say otherwise. */
export type FillTold = Partial<Extract<VenueFact, { type: "filled" }>>;

/** An account with 1 BTC and USD 1,000,000.00, and the calls that tests of orders make for it. */
export type OrderClient = Omit<ApiClient, "get"> & {
  base: string;
  quote: string;
  createWallet(currency: Wallet["currency"], amountMinor: number): Promise<string>;
  balanceOf(walletId: string): Promise<Schemas["Balance"]>;
  /** A limit buy of 0.1 BTC at 50,000.00, unless told otherwise. */
  send(change?: object): Promise<Answer>;
  /** As `send`, which must succeed. */
  sent(change?: object): Promise<OrderBody>;
  /** As `sent`, and accepted by the venue. */
  opened(change?: object): Promise<OrderBody>;
  get(id: string): Promise<OrderBody>;
  fills(id: string): Promise<FillBody[]>;
  cancel(id: string): Promise<Answer>;
  replace(id: string, change: object): Promise<Answer>;
  /** As `replace`, which must succeed. */
  replaced(id: string, change: object): Promise<OrderBody>;
  /** As an adapter does; each under a name of its own unless told one. */
  tell(fact: VenueFact, factId?: string): Promise<string>;
  fill(orderId: string, change: FillTold & { quantityMinor: number }, factId?: string): Promise<string>;
  end(orderId: string, type: "canceled" | "expired" | "replaced", filledQuantityMinor: number): Promise<string>;
  advance(seconds: number): Promise<unknown>;
  /** What a worker does when its time has come. */
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
