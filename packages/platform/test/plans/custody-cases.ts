import { maxPeopleOfAccount } from "../../src/accounts/index.ts";
import type { Platform } from "../../src/compose/platform.ts";
import { change, cursorAt, limit, read, refused, type Case } from "./cases.ts";
import { idAt, owners, paidToday, walletAt } from "./row-values.ts";

const { huge, small } = owners;

/** Look-ups of incoming and outgoing money. The rest is among the lists. */
export function custodyCases(rows: number): Case[] {
  return [...addressCases(rows), ...approvalCases(rows), ...depositCases(rows), ...outgoingCases(rows)];
}

const addressCases = (rows: number): Case[] => {
  const page = (walletId: string, position?: number, accountId = huge.accountId): Case["ask"] => {
    const cursor = cursorAt(`deposit-addresses ${accountId} ${walletId}`, "adr", position);
    return ({ custody }) => custody.depositAddresses.list({ accountId, walletId, limit, ...cursor });
  };
  const busy = walletAt("busy", rows);
  return [
    read("deposit addresses of a busy wallet", limit, page(busy)),
    read("deposit addresses of a busy wallet: half way", limit, page(busy, rows / 2)),
    read("deposit addresses of a quiet wallet", 3, page(walletAt("quiet", rows))),
    read("deposit addresses of a wallet with none", 0, page(walletAt("idle", rows))),
    read("deposit addresses of another's wallet", 0, page(busy, undefined, small.accountId)),
    change("how many deposit addresses a wallet has", 1, ({ custody }) =>
      custody.depositAddresses.create({
        accountId: huge.accountId,
        walletId: walletAt("funded", rows),
        address: "0xnew",
        externalId: "new",
      }),
    ),
    change("how many entries an address book has", 1_000, ({ custody }) =>
      refused(
        "LIMIT_REACHED",
        custody.addressBook.create({
          accountId: huge.accountId,
          network: "ethereum",
          address: `0x${"a".repeat(40)}`,
          name: "A",
        }),
      ),
    ),
  ];
};

const approvalCases = (rows: number): Case[] => {
  type Filter = { status?: "requested" | "canceled" | "expired"; transferId?: string };
  const of = (name: string, answers: number, filter: Filter, position?: number): Case => {
    const list = `approvals ${huge.accountId} ${filter.status ?? ""} ${filter.transferId ?? ""}`;
    const request = { accountId: huge.accountId, limit, ...filter, ...cursorAt(list, "apr", position) };
    return read(`approvals ${name}`, answers, ({ custody }) => custody.approvals.list(request));
  };
  const transfer = { transferId: idAt("trf", rows) };
  return [
    of("of a frequent status", limit, { status: "requested" }),
    of("of a frequent status: half way", limit, { status: "requested" }, rows / 2),
    of("of a rare status", 3, { status: "canceled" }),
    of("of a status that none has", 0, { status: "expired" }),
    of("of a transfer", 1, transfer),
    of("of a transfer and its status", 1, { ...transfer, status: "requested" }),
    { ...of("of a transfer and another status", 0, { ...transfer, status: "canceled" }), looksAt: 1 },
    of("of another's transfer", 0, { transferId: idAt("trf", 3) }),
    change("an approval that is given", maxPeopleOfAccount, ({ custody }) =>
      custody.approvals.decide({
        id: idAt("apr", rows),
        accountId: huge.accountId,
        personId: null,
        decision: "approved",
        comment: null,
      }),
    ),
  ];
};

const depositCases = (rows: number): Case[] => {
  const find = (accountId: string, position: number) => (platform: Platform) => {
    const transactionHash = `0x${String(position).padStart(64, "0")}`;
    return platform.custody.deposits.find({ accountId, network: "ethereum", transactionHash, outputIndex: 0 });
  };
  return [
    read("the deposit of an output", 1, find(huge.accountId, rows)),
    read("the deposit of an output of an account with few", 1, find(small.accountId, 3)),
    read("the deposit of another's output", 0, find(small.accountId, rows)),
    read("the deposit of an output that never was", 0, find(huge.accountId, rows + 1)),
    change("a deposit that a chain sees", 10, ({ custody }) =>
      custody.simulatedDeposits.see({
        accountId: huge.accountId,
        walletId: walletAt("funded", rows),
        amountMinor: 1,
      }),
    ),
  ];
};

const dayRows = 24 * 60 * 60;
/** Summed payments or transfers. New ones have to be looked up in their table, too. */
const perBlock = 150;

const outgoingCases = (rows: number): Case[] => {
  const send = ({ custody }: Pick<Platform, "custody">, name: "funded" | "busy", amount: number) =>
    custody.transfers.create({
      accountId: huge.accountId,
      walletId: walletAt(name, rows),
      amount,
      destinationAddress: `0x${String(rows).padStart(40, "0")}`,
      externalId: "new",
      initiatedBy: { kind: "apiKey", id: idAt("key", rows) },
    });
  return [
    read("a transfer policy", 1, ({ custody }) => custody.transferPolicies.get(huge.accountId)),
    change("a transfer that goes out, by its day", 20, (services) => send(services, "funded", 1_000_000)),
    change("a transfer that waits, by those who may approve it", maxPeopleOfAccount, (services) =>
      send(services, "funded", 1_000_000_000),
    ),
    change("a transfer in a busy currency, by its day alone", Math.min(rows, dayRows) / perBlock, (services) =>
      refused("POLICY_BLOCKED", send(services, "busy", 1_000_000)),
    ),
    ...[
      { to: "a counterparty", counterpartyId: idAt("cpy", rows / 8), looksAt: 20 },
      { to: "a counterparty who is paid often", counterpartyId: idAt("cpy", rows), looksAt: paidToday / perBlock },
    ].map(({ to, counterpartyId, looksAt }): Case =>
      change(`a payment to ${to}, by its day`, looksAt, ({ orchestra }) =>
        orchestra.payments.create({
          accountId: huge.accountId,
          walletId: walletAt("paying", rows),
          destination: { counterpartyId },
          amountMinor: 1,
          externalId: "new",
          metadata: {},
        }),
      ),
    ),
    change("payments under way to a counterparty that is archived", 1, ({ orchestra }) =>
      orchestra.counterparties.archive({ id: idAt("cpy", rows), accountId: huge.accountId }),
    ),
  ];
};
