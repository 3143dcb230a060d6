import { request } from "undici";

/** Something that is listed, where, and the table that it is in. `more`: what else is read with each row, in SQL. */
export type ListedResource = { path: string; table: string; hasGet: boolean; more?: string };

export const listedResources: readonly ListedResource[] = [
  { path: "/api/v1/counterparties", table: "counterparties", hasGet: true },
  { path: "/api/v1/payments", table: "payments", hasGet: true },
  { path: "/api/v1/deposit-addresses", table: "deposit_addresses", hasGet: false },
  { path: "/api/v1/deposits", table: "deposits", hasGet: true },
  { path: "/api/v1/transfers", table: "transfers", hasGet: true },
  { path: "/api/v1/kyc-verifications", table: "kyc_verifications", hasGet: true },
  { path: "/api/v1/orders", table: "orders", hasGet: true },
  { path: "/api/v1/fills", table: "fills", hasGet: false },
  { path: "/api/v1/valuations", table: "valuations", hasGet: true },
  {
    ...{ path: "/api/v1/ledger-transactions", table: "ledger_transactions", hasGet: true },
    more: `(
      select jsonb_agg(jsonb_build_object('ledgerAccountId', ledger_account_id, 'direction', direction, 'amount', amount,
        'balanceAfter', balance_after) order by entry.id)
      from ledger_entries entry where entry.account_id = ledger_transactions.account_id
        and entry.id > ledger_transactions.id || '_' and entry.id < ledger_transactions.id || '\`'
    ) as entries`,
  },
  {
    ...{ path: "/api/v1/ledger-entries", table: "ledger_entries", hasGet: false },
    more: `(
      select kind from ledger_transactions booked
      where booked.account_id = ledger_entries.account_id and booked.id = substr(ledger_entries.id, 1, 30)
    ) as kind`,
  },
];

type Caller = { port: number; key: string };

/** In the sandbox, through the gateway: so many of each of `listedResources`, or more. */
export async function fillBusyAccount(caller: Caller, count: number): Promise<void> {
  const post = (path: string, body: object): Promise<{ id: string }> => postTo(caller, path, body);
  const openWallet = async (currency: string, amount: number): Promise<string> => {
    const { id } = await post("wallets", { name: `Wallet in ${currency}`, currency });
    await post(`sandbox/wallets/${id}/fund`, { amount });
    return id;
  };
  const [euros, dollars, bitcoin] = [
    await openWallet("EUR", 1_000_000_000),
    await openWallet("USD", 1_000_000_000),
    await openWallet("BTC", 1_000_000_000),
  ];
  const pair = { symbol: "BTC-USD", baseWalletId: bitcoin, quoteWalletId: dollars };
  for (let number = 0; number < count; number += 1) {
    const counterparty = await post("counterparties", {
      ...{ name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" },
    });
    const destination = { counterpartyId: counterparty.id };
    await post("payments", { walletId: euros, amount: 100, destination });
    await post("deposit-addresses", { walletId: bitcoin });
    await post("sandbox/deposits", { walletId: bitcoin, amount: 10_000 });
    await post("transfers", {
      ...{ walletId: bitcoin, amount: 10_000, destinationAddress: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" },
    });
    await post("kyc-verifications", verification(number));
    await post("orders", { ...pair, side: "buy", type: "limit", quantity: 100_000, limitPrice: "1.00" });
    await post("orders", { ...pair, side: "buy", type: "market", quoteAmount: 10_000 });
    await post("valuations", {});
  }
  await post("sandbox/clock/advance", { seconds: 60 });
}

/** The newest one that `path` lists. */
export async function findNewestId({ port, key }: Caller, path: string): Promise<string> {
  const { body } = await request(`http://127.0.0.1:${port}${path}?limit=1`, { headers: { "X-API-Key": key } });
  const { data } = (await body.json()) as { data?: { id?: string; roundId?: number }[] };
  const [newest] = data ?? [];
  if (!newest) {
    throw new Error(`${path} lists nothing.`);
  }
  return String(newest.id ?? newest.roundId);
}

function verification(number: number): object {
  const person = { givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-09", country: "DE" };
  return {
    reference: `customer-${number}`,
    subject: { ...person, address: "1 Example Street, 10115 Berlin" },
    documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
  };
}

async function postTo({ port, key }: Caller, path: string, sent: object): Promise<{ id: string }> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/v1/${path}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  });
  const text = await body.text();
  if (statusCode >= 300) {
    throw new Error(`POST ${path} was answered ${statusCode}: ${text}`);
  }
  return (JSON.parse(text) as { data: { id: string } }).data;
}
