import type { Platform } from "../../src/compose/platform.ts";
import type { RequestLogFilter } from "../../src/request-log/index.ts";
import { cursorAt, cursors, limit, read, type Case } from "./cases.ts";
import { firstRows, idAt, owners } from "./row-values.ts";
import { requestPartitions } from "./statistics.ts";

const { huge, small, none } = owners;

/** Reads of a page that finds nothing in 20,000 adjacent rows, in tens of blocks. */
const wholeWalk = 200;

/** The three oldest requests of the huge account failed. An hour of its usage is a row. */
export function requestLogCases(rows: number): Case[] {
  const of = (name: string, answers: number, more: List = {}): Case => {
    const { filter = {}, position, accountId = huge.accountId, looksAt = answers } = more;
    const cursor = cursorAt(`request-logs ${accountId}  ${JSON.stringify(filter)}`, "req", position);
    const ask = ({ requestLog }: Platform) => requestLog.list({ accountId, onlyOf: null, limit, ...filter, ...cursor });
    return read(`requests: ${name}`, answers, ask, looksAt + requestPartitions);
  };
  const one = (accountId: string, answers: number): Case =>
    read(`requests: ${answers === 1 ? "one" : "another's"}`, answers, ({ requestLog }) =>
      requestLog.get({ id: idAt("req", rows), accountId, onlyOf: null }),
    );
  const usage = (interval: "minute" | "hour"): Case =>
    read(
      `usage by the ${interval}`,
      1,
      ({ requestLog }) =>
        requestLog.usage.get({ accountId: huge.accountId, onlyOf: null, interval, groupBy: ["operation", "code"] }),
      60,
    );
  const follow = (name: string, answers: number, more: List = {}): Case => {
    const { position, accountId = huge.accountId, looksAt = answers } = more;
    const place = `1 ${position ?? 0} ${Date.now()} ${idAt("req", 0)} ${Date.now()}`;
    const after = position === undefined ? undefined : cursors.encode(`request-logs followed ${accountId}`, place);
    const ask = ({ requestLog }: Platform) =>
      requestLog.follow({ accountId, onlyOf: null, limit, after, ...(more.filter as { source?: "api" | "console" }) });
    return read(`requests followed: ${name}`, answers, ask, looksAt + requestPartitions);
  };
  return [
    follow("from the oldest", limit),
    follow("half way", limit, { position: rows / 2 }),
    follow("nothing new", 0, { position: rows }),
    follow("of an account with few", 5, { accountId: small.accountId }),
    follow("of an account with none", 0, { accountId: none.accountId }),
    follow("of a source that none has", 0, { position: rows / 2, filter: { source: "console" }, looksAt: 1_000 }),
    of("of an event", 1, { filter: { id: idAt("req", rows) } }),
    of("of an event of another account", 0, { filter: { id: idAt("req", rows) }, accountId: small.accountId }),
    of("the newest", limit),
    of("half way", limit, { position: rows / 2 }),
    of("the oldest", 5, { position: firstRows + 6 }),
    of("of an account with few", 5, { accountId: small.accountId }),
    of("of an account with none", 0, { accountId: none.accountId }),
    of("of a frequent operation", limit, { filter: { operationId: "listWallets" } }),
    of("that failed", 3, { filter: { status: "4xx" } }),
    of("that failed, half way", 3, { filter: { status: "4xx" }, position: rows / 2 }),
    of("of a code", 3, { filter: { code: "NOT_FOUND" } }),
    of("of a code that none has", 0, { filter: { code: "CONFLICT" } }),
    of("that failed, of another account", 0, { filter: { status: "404" }, accountId: small.accountId }),
    of("of a method that none has", 0, { filter: { method: "DELETE" }, looksAt: wholeWalk }),
    of("of a method that none has, half way", 0, {
      filter: { method: "DELETE" },
      position: rows / 2,
      looksAt: wholeWalk,
    }),
    one(huge.accountId, 1),
    one(small.accountId, 0),
    usage("minute"),
    usage("hour"),
  ];
}

type List = { filter?: RequestLogFilter & { id?: string }; position?: number; accountId?: string; looksAt?: number };
