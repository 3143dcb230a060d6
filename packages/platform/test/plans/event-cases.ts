import type { EventType } from "@gateway/contract";
import type { Platform } from "../../src/compose/platform.ts";
import type { EventFilter } from "../../src/events/index.ts";
import { mostExamined } from "@gateway/engine/examine-page";
import { cursorAt, cursors, limit, type Case } from "./cases.ts";
import { ago, firstRows, idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

/** In each, rows with a number and rows without one are looked for. */
const eventPartitions = 7;

export const eventCases = (rows: number): Case[] => {
  const page = (accountId: string, type?: EventType, position?: number) => (platform: Platform) =>
    platform.events.list({
      accountId,
      type,
      limit,
      ...cursorAt(`events ${accountId} ${type ?? ""}`, "evt", position),
    });
  const by =
    (filter: EventFilter, accountId = huge.accountId) =>
    (platform: Platform) =>
      platform.events.list({ accountId, limit, ...filter });
  const most = Math.min(mostExamined, rows);
  const examined = (name: string, answers: number, looksAt: number, filter: EventFilter): Case => ({
    ...{ name: `events ${name}`, answers, ask: by(filter), examines: true },
    // The time of the account is looked up as well.
    looksAt: looksAt + 1,
  });
  const follow = (accountId: string, place?: string) => (platform: Platform) =>
    platform.events.follow({
      accountId,
      limit,
      ...(place !== undefined && { after: cursors.encode(`events followed ${accountId}`, place) }),
    });
  const byId = (position: number): string => `id ${idAt("evt", position)} ${Date.now()}`;
  const byNumber = (number: number): string => `1 ${number} ${Date.now()} ${idAt("evt", 0)} ${Date.now()}`;
  return [
    { name: "events: the newest", answers: limit, ask: page(huge.accountId) },
    { name: "events: half way", answers: limit, ask: page(huge.accountId, undefined, rows / 2) },
    { name: "events: the oldest", answers: 5, ask: page(huge.accountId, undefined, firstRows + 6) },
    { name: "events: of an account with few", answers: 5, ask: page(small.accountId) },
    { name: "events: of an account with none", answers: 0, ask: page(none.accountId) },
    { name: "events of a frequent type: the newest", answers: limit, ask: page(huge.accountId, "wallet.created") },
    {
      name: "events of a frequent type: half way",
      answers: limit,
      ask: page(huge.accountId, "wallet.created", rows / 2),
    },
    {
      name: "events of a frequent type: the oldest",
      answers: 2,
      ask: page(huge.accountId, "wallet.created", firstRows + 6),
    },
    {
      name: "events of a frequent type: of an account with few",
      answers: 5,
      ask: page(small.accountId, "wallet.created"),
    },
    { name: "events of a rare type", answers: 3, ask: page(huge.accountId, "payment.settled") },
    { name: "events of a rare type: half way", answers: 3, ask: page(huge.accountId, "payment.settled", rows / 2) },
    { name: "events of a type that never was", answers: 0, ask: page(huge.accountId, "kyc.verified") },
    { name: "events of an object", answers: 1, ask: by({ objectId: idAt("wal", rows - 1) }) },
    { name: "events of an object that is nobody's", answers: 0, ask: by({ objectId: idAt("wal", rows + 1) }) },
    { name: "events of another's object", answers: 0, ask: by({ objectId: idAt("wal", rows - 1) }, small.accountId) },
    { name: "events of a busy object", answers: limit, ask: by({ objectId: idAt("wal", 0) }) },
    { name: "events listed of a request", answers: 1, ask: by({ requestId: idAt("req", rows) }) },
    { name: "events listed of a request that caused none", answers: 0, ask: by({ requestId: idAt("req", rows + 1) }) },
    examined("of a request, of another type", 0, 1, { requestId: idAt("req", rows), type: "kyc.verified" }),
    examined("of a busy object, of a frequent type", limit, 100, { objectId: idAt("wal", 0), type: "wallet.created" }),
    examined("of a busy object, of a type that never was", 0, rows / 10, {
      ...{ objectId: idAt("wal", 0), type: "kyc.verified" as const },
    }),
    examined("since a minute ago", limit, 100, { since: ago(60_000) }),
    examined("until in a minute, of a frequent type", limit, 100, { until: ago(-60_000), type: "wallet.created" }),
    examined("since later than all", 0, most, { since: ago(-30_000) }),
    examined("since later than all, of a frequent type", 0, most, { since: ago(-30_000), type: "wallet.created" }),
    examined("of a time long before", 0, 1, { since: ago(7_200_000), until: ago(3_600_000) }),
    { name: "events of a type that another account has", answers: 0, ask: page(small.accountId, "payment.settled") },
    { name: "events followed: from the oldest", answers: limit, ask: follow(huge.accountId) },
    { name: "events followed: half way", answers: limit, ask: follow(huge.accountId, byId(rows / 2)) },
    { name: "events followed: half way, by number", answers: limit, ask: follow(huge.accountId, byNumber(rows / 2)) },
    { name: "events followed: the last", answers: 5, ask: follow(huge.accountId, byNumber(rows - 5)) },
    {
      name: "events followed: nothing new",
      answers: 0,
      looksAt: eventPartitions,
      ask: follow(huge.accountId, byNumber(rows)),
    },
    { name: "events followed: of an account with few", answers: 5, ask: follow(small.accountId) },
    {
      name: "events followed: of an account with few, nothing new",
      answers: 0,
      looksAt: eventPartitions,
      ask: follow(small.accountId, byNumber(rows)),
    },
    { name: "events followed: of an account with none", answers: 0, ask: follow(none.accountId) },
    {
      name: "events of a request",
      answers: 3,
      ask: ({ events }) => events.idsOfRequest({ accountId: huge.accountId, requestId: idAt("req", 0) }),
    },
    {
      name: "events of another's request",
      answers: 0,
      ask: ({ events }) => events.idsOfRequest({ accountId: small.accountId, requestId: idAt("req", 0) }),
    },
    {
      name: "events: one",
      answers: 1,
      ask: ({ events }) => events.get({ id: idAt("evt", rows), accountId: huge.accountId }),
    },
    {
      name: "events: another's",
      answers: 0,
      ask: ({ events }) => events.get({ id: idAt("evt", rows), accountId: small.accountId }),
    },
  ];
};
