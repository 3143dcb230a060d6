import type { Platform } from "../../src/compose/platform.ts";
import { cursorAt, limit, read, type Case } from "./cases.ts";
import { firstRows, idAt, owners, walletAt } from "./row-values.ts";

const { huge, small } = owners;

type Filter = { walletId?: string | undefined; status?: string | undefined };

type Movement = {
  list: string;
  prefix: string;
  /** The status of nearly all of the huge account's, of three, and of none. */
  statuses: readonly [frequent: string, rare: string, never: string];
  nounOf(platform: Platform): {
    list(request: Filter & { accountId: string; limit: number; cursor?: string | undefined }): Promise<unknown>;
  };
};

const movements: Movement[] = [
  {
    list: "payments",
    prefix: "pay",
    statuses: ["settled", "failed", "initiated"],
    nounOf: ({ orchestra }) => orchestra.payments,
  },
  {
    list: "deposits",
    prefix: "dep",
    statuses: ["confirmed", "orphaned", "detected"],
    nounOf: ({ custody }) => custody.deposits,
  },
  {
    list: "transfers",
    prefix: "trf",
    statuses: ["initiated", "canceled", "completed"],
    nounOf: ({ custody }) => custody.transfers,
  },
];

/** Movements of money, by wallet and status. */
export function movementCases(rows: number): Case[] {
  const [busy, quiet, idle] = (["busy", "quiet", "idle"] as const).map((name) => ({ walletId: walletAt(name, rows) }));
  return movements.flatMap(({ list, prefix, statuses, nounOf }): Case[] => {
    const of = (name: string, answers: number, filter: Filter = {}, position?: number, accountId = huge.accountId) => {
      const cursor = cursorAt(`${list} ${accountId} ${filter.walletId ?? ""} ${filter.status ?? ""}`, prefix, position);
      const ask = (platform: Platform) => nounOf(platform).list({ accountId, limit, ...filter, ...cursor });
      return read(`${list} ${name}`, answers, ask);
    };
    const [frequent, rare, never] = statuses.map((status) => ({ status }));
    const elsewhere = small.accountId;
    return [
      of("of a busy wallet", limit, busy),
      of("of a busy wallet: half way", limit, busy, rows / 2),
      of("of a busy wallet: the oldest", 2, busy, firstRows + 6),
      of("of a quiet wallet", 3, quiet),
      of("of a wallet with none", 0, idle),
      of("of a wallet of an account with few", 1, { walletId: idAt("wal", 3) }, undefined, elsewhere),
      of("of another's wallet", 0, busy, undefined, elsewhere),
      of("of a frequent status", limit, frequent),
      of("of a frequent status: half way", limit, frequent, rows / 2),
      of("of a frequent status: of an account with few", 5, frequent, undefined, elsewhere),
      of("of a rare status", 3, rare),
      of("of a rare status: half way", 3, rare, rows / 2),
      of("of a rare status: of another account", 0, rare, undefined, elsewhere),
      of("of a status that none has", 0, never),
      of("of a busy wallet and a frequent status", limit, { ...busy, ...frequent }),
      of("of a busy wallet and a frequent status: half way", limit, { ...busy, ...frequent }, rows / 2),
      of("of a busy wallet and a rare status", 0, { ...busy, ...rare }),
      of("of a quiet wallet and a frequent status", 0, { ...quiet, ...frequent }),
      of("of a quiet wallet and a rare status", 3, { ...quiet, ...rare }),
      of("of another's wallet and its status", 0, { ...busy, ...frequent }, undefined, elsewhere),
    ];
  });
}
