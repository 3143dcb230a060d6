import {
  account,
  booked,
  bookedHalfWay,
  bookedOn,
  firstRows,
  id,
  isClearing,
  isOwn,
  isRare,
  isWallet,
  movedWallet,
  openOrders,
  paidToday,
  unsealedRows,
  wallet,
} from "./row-values.ts";

/** Columns that nearly every table of an account has. */
export const own = (prefix: string, columns: Record<string, string>): Record<string, string> => ({
  account_id: account,
  id: id(prefix),
  created_at: booked,
  ...columns,
});

/** Tables that move money: their columns, with their values in row n of `last`. */
export const moneyRows: Record<string, Record<string, string>> = {
  // The three oldest of the huge account are closed and have a rare currency.
  wallets: own("wal", {
    name: "'W'",
    currency: `case when ${isRare} then 'JPY' when ${isWallet("funded")} then 'ETH' when ${isWallet("busy")} then 'USDC' else 'EUR' end`,
    available: `case when ${isWallet("funded")} or ${isWallet("paying")} then 1000000000000 else 0 end`,
    pending: "0",
    status: `case when ${isRare} then 'closed' else 'active' end`,
    external_id: "n::text",
    metadata: "'{}'",
  }),
  ledger_accounts: own("lac", {
    name: "'L'",
    currency: "'EUR'",
    kind: `case when ${isClearing} then 'clearing' when ${isOwn} then 'own' else 'wallet' end`,
    purpose: `case when ${isClearing} then 'equity' when ${isOwn} then null else 'available' end`,
    wallet_id: `case when ${isClearing} or ${isOwn} then null else ${id("wal")} end`,
    may_be_negative: "true",
    balance: `case when ${isOwn} then 0 end`,
    external_id: `case when ${isOwn} then n::text end`,
  }),
  // Four for each cause. The three oldest of the huge account have a rare kind.
  ledger_transactions: own("ltx", {
    kind: `case when ${isRare} then 'return' else 'payment' end`,
    cause_type: "'payment'",
    cause_id: id("pay", "n / 4"),
    external_id: "n::text",
    posting_no: "n",
    sequence: `case when n <= last - ${unsealedRows} then n end`,
    hash: `case when n <= last - ${unsealedRows} then 'x'::bytea end`,
  }),
  // The oldest of the huge account: five in one ledger account, three in a wallet. The rest are in its clearing
  // account.
  ledger_entries: {
    account_id: account,
    id: `${id("ltx")} || '_00'`,
    ledger_account_id: bookedOn,
    direction: "'credit'",
    amount: "1",
    created_at: booked,
  },
  ledger_checkpoints: own("chk", {
    from_sequence: "n",
    to_sequence: "n",
    hash: "'x'",
    previous_hash: "'x'",
    latest_at: booked,
  }),
  ledger_checkpoint_sums: {
    account_id: account,
    ledger_account_id: bookedOn,
    to_sequence: "n",
    balance: "n",
  },
  counterparties: own("cpy", {
    currency: "'EUR'",
    name: "'C'",
    account_number: "'N'",
    account_number_last4: "chr(19968 + (n / 1000)::int) || lpad((n % 1000)::text, 3, '0')",
    external_id: "n::text",
    metadata: "'{}'",
  }),
  // All of the huge account are under review, except the three oldest. The four oldest have one reference.
  kyc_verifications: own("kyc", {
    reference: `case when n between ${firstRows + 1} and ${firstRows + 4} then 'often' when n % 2 = 0 then '' else n::text end`,
    external_id: "n::text",
    status: `case when ${isRare} then 'rejected' else 'review_required' end`,
    checks: "'[]'",
    rejection_code: `case when ${isRare} then 'expired' end`,
    decided_at: `case when ${isRare} then now() end`,
    review_until: "now()",
    metadata: "'{}'",
  }),
  readings: {
    account_id: account,
    kind: "'instrument'",
    subject: "n::text",
    value: "'null'",
    as_of: booked,
  },
  // The three oldest of the huge account failed. Each counterparty has four, and one has the newest.
  payments: own("pay", {
    wallet_id: movedWallet,
    counterparty_id: `case when n > last - ${paidToday} then ${id("cpy", "last")} else ${id("cpy", "n / 4")} end`,
    amount: "1",
    currency: "'EUR'",
    rail: "'sepa'",
    fee: "20",
    status: `case when ${isRare} then 'failed' else 'settled' end`,
    failure_code: `case when ${isRare} then 'canceled' end`,
    external_id: "n::text",
    metadata: "'{}'",
    settled_at: `case when ${isRare} then null else now() end`,
    failed_at: `case when ${isRare} then now() end`,
  }),
  // The three oldest of the huge account are canceled and trade ETH. The newest have not ended: one less than an
  // account may have.
  orders: own("ord", {
    symbol: `case when ${isRare} then 'ETH-USD' else 'BTC-USD' end`,
    base: "'BTC'",
    quote: "'USD'",
    price_scale: "2",
    side: "'buy'",
    type: "'limit'",
    quantity: "1000",
    limit_price: "'50000.00'",
    time_in_force: "'gtc'",
    base_wallet_id: wallet("busy"),
    quote_wallet_id: wallet("paying"),
    status: `case when ${isRare} then 'canceled' when n > last - ${openOrders} then 'open' else 'filled' end`,
    filled_quantity: "case when n = last then 1 else 0 end",
    external_id: "n::text",
    closed_at: `case when n > last - ${openOrders} then null else now() end`,
  }),
  // Nearly all of the huge account belong to one order, and are applied. Five of them wait.
  inbox_facts: {
    account_id: account,
    id: id("fct"),
    port: "'venue'",
    fact_id: "n::text",
    subject_id: id("ord", "last"),
    fact: `jsonb_build_object('type', 'filled', 'orderId', ${id("ord", "last")})`,
    status: "case when n > last - 5 then 'parked' else 'applied' end",
    received_at: booked,
  },
  // The newest has a wallet of its own.
  deposit_addresses: own("adr", {
    wallet_id: `case when n = last then ${wallet("funded")} else ${movedWallet} end`,
    network: "'ethereum'",
    address: "'0x' || lpad(n::text, 40, '0')",
    external_id: "n::text",
    metadata: "'{}'",
  }),
  // The three oldest of the huge account are orphaned.
  deposits: own("dep", {
    wallet_id: movedWallet,
    address_id: id("adr"),
    network: "'ethereum'",
    currency: "'USDC'",
    transaction_hash: "'0x' || lpad(n::text, 64, '0')",
    output_index: "0",
    amount: "1",
    status: `case when ${isRare} then 'orphaned' else 'confirmed' end`,
    confirmations: "12",
    required_confirmations: "12",
    fact_sequence: "1",
    confirmed_at: `case when ${isRare} then null else now() end`,
  }),
  // The three oldest of the huge account are canceled. The five newest are in ETH.
  transfers: own("trf", {
    wallet_id: movedWallet,
    currency: "case when n > last - 5 then 'ETH' else 'USDC' end",
    network: "'ethereum'",
    amount: "1",
    fee: "1",
    destination_address: "'0x' || lpad(n::text, 40, '0')",
    status: `case when ${isRare} then 'canceled' else 'initiated' end`,
    approval_id: id("apr"),
    initiated_by: "'{}'",
    initiators: "'{}'",
    failure_code: `case when ${isRare} then 'canceled' end`,
    external_id: "n::text",
  }),
  approvals: own("apr", {
    transfer_id: id("trf"),
    wallet_id: movedWallet,
    currency: "'USDC'",
    amount: "1",
    status: `case when ${isRare} then 'canceled' else 'requested' end`,
    required_approvals: "1",
    expires_at: "now() + interval '1 day'",
    decided_at: `case when ${isRare} then now() end`,
  }),
  // One a second. Nearly all of the huge account change one instrument, whose sources fell silent half way and stayed
  // so.
  price_overrides: {
    account_id: account,
    symbol: "case when n <= 5 then 'ETH-USD' else 'BTC-USD' end",
    starts_at: booked,
    price_units: "7000000",
    reference_units: "6400000",
    is_halted: "n % 2 = 0",
    stale_since: `case when n > last / 2 then ${bookedHalfWay} end`,
  },
  // The last one signs. Its key pair is from RFC 8037.
  price_signing_keys: {
    id: id("psk"),
    algorithm: "'EdDSA'",
    public_x: "'11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'",
    private_d: String.raw`'\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'::bytea`,
    created_at: booked,
    retired_at: "case when n < last then now() end",
  },
  // One each ten seconds since 1970.
  price_rounds: {
    scope: "'everybody'",
    symbol: "'EUR-USD'",
    round_id: "n",
    signature: `'e30.' || encode(convert_to('{"symbol":"EUR-USD","roundId":' || n || ',"price":"1.00000000","confidence":"0.00000000",'
      || '"sources":[],"publishedAt":"2026-03-09T12:00:00.000Z"}', 'UTF8'), 'base64') || '.c2ln'`,
  },
  // Transfers of ETH may leave, large ones with an approval. All others are blocked.
  transfer_policies: {
    account_id: id("acc"),
    next_rules: `jsonb_build_array(
      jsonb_build_object('currency', 'ETH', 'minimumMinor', 1000000000, 'destination', 'any', 'action', 'require_approval', 'requiredApprovals', 1),
      jsonb_build_object('currency', 'ETH', 'minimumMinor', 0, 'destination', 'any', 'action', 'allow', 'requiredApprovals', null))`,
    next_effective_at: "now() - interval '1 day'",
  },
  // Each account has counted all of its books, and no day ends soon.
  portfolios: {
    account_id: id("acc"),
    sequence: "last",
    net_flow: "n",
    next_daily_at: "now() + interval '1 day'",
  },
  positions: {
    account_id: id("acc"),
    currency: "'USD'",
    quantity: "n",
    pending: "0",
    cost: "n",
    realized: "0",
  },
  valuations: own("val", {
    kind: "'daily'",
    at: booked,
    ledger_sequence: "n",
    equity: "n",
    net_flow: "0",
    profit: "0",
    lines: "'[]'",
    external_id: "n::text",
    metadata: "'{}'",
  }),
  address_book_entries: own("adb", {
    network: "'ethereum'",
    address: "'0x' || lpad(n::text, 40, '0')",
    name: "'A'",
    active_from: "now()",
  }),
};
