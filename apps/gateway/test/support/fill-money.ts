import { createTypeIds } from "@gateway/kernel";
import { createTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import { fillOrders } from "./fill-orders.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Inserts `count` rows of each resource that moves money or is checked, without the rules of the platform. They are
 * only listed.
 */
export async function fillMoney(
  { database, platform }: Pick<TestGateway, "database" | "platform">,
  { accountId, count }: { accountId: string; count: number },
): Promise<void> {
  const wallet = { accountId, name: "Crypto", currency: "USDC", metadata: {} } as const;
  const { id: walletId } = await platform.ledger.wallets.create(wallet);
  const counterparty = { name: "C", currency: "EUR", accountNumber: "DE89370400440532013000" } as const;
  const { id: counterpartyId } = await platform.orchestra.counterparties.create({ accountId, ...counterparty });
  const createId = createTypeIds(createTestClock(Date.now()));
  // Resources that belong together have ids that differ only in their prefix.
  const made = Array.from({ length: count }, () => createId("row"));
  const fill = async (table: string, prefix: string, columns: Record<string, string>): Promise<void> => {
    const ids = made.map((id) => id.replace("row", prefix));
    await sql`
      insert into ${sql.table(table)} (account_id, id, created_at, ${sql.raw(Object.keys(columns).join(", "))})
      select ${accountId}, id, now(), ${sql.raw(Object.values(columns).join(", "))}
      from unnest(${ids}::text[]) with ordinality as made (id, n)
    `.execute(database.kysely);
  };
  const moved = { wallet_id: `'${walletId}'`, amount: "1" };
  const address = { network: "'ethereum'", currency: "'USDC'" };
  await fill("payments", "pay", {
    ...moved,
    counterparty_id: `'${counterpartyId}'`,
    currency: "'EUR'",
    rail: "'sepa'",
    fee: "20",
    status: "'settled'",
    settled_at: "now()",
    metadata: "'{}'",
  });
  await fill("kyc_verifications", "kyc", {
    reference: "n::text",
    status: "'review_required'",
    checks: "'[]'",
    review_until: "now()",
    metadata: "'{}'",
  });
  await fill("deposit_addresses", "adr", {
    wallet_id: `'${walletId}'`,
    network: "'ethereum'",
    address: "'0x' || substr(id, 5)",
    metadata: "'{}'",
  });
  await fill("deposits", "dep", {
    ...moved,
    ...address,
    address_id: "replace(id, 'dep_', 'adr_')",
    transaction_hash: "'0x' || lpad(n::text, 64, '0')",
    output_index: "0",
    status: "'confirmed'",
    confirmations: "12",
    required_confirmations: "12",
    fact_sequence: "1",
    confirmed_at: "now()",
  });
  await fill("transfers", "trf", {
    ...moved,
    ...address,
    fee: "1",
    destination_address: "'0x' || substr(id, 5)",
    status: "'initiated'",
    initiated_by: `'{"kind":"apiKey","id":"${walletId.replace("wal", "key")}"}'`,
    initiators: "'{}'",
  });
  await fill("approvals", "apr", {
    ...moved,
    transfer_id: "replace(id, 'apr_', 'trf_')",
    currency: "'USDC'",
    status: "'requested'",
    required_approvals: "1",
    expires_at: "now() + interval '1 day'",
  });
  await fill("valuations", "val", {
    kind: "'daily'",
    at: "now()",
    ledger_sequence: "0",
    equity: "0",
    net_flow: "0",
    profit: "0",
    lines: "'[]'",
    metadata: "'{}'",
  });
  await fill("address_book_entries", "adb", {
    network: "'ethereum'",
    address: "'0x' || substr(id, 5)",
    name: "'A'",
    active_from: "now()",
  });
  await fillOrders({ database, platform }, { accountId, count });
}
