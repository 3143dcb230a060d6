import type { EventType } from "@gateway/contract";
import type { Platform } from "../../src/compose/platform.ts";
import type { EventFilter } from "../../src/events/index.ts";
import { mostExamined } from "@gateway/engine/examine-page";
import { cursorAt, cursors, limit, read, type Case } from "./cases.ts";
import { ago, firstRows, idAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;

/** Each is searched for rows with a number and for rows without one. */
const eventPartitions = 7;

export const eventCases = (rows: number): Case[] => {
  const page = (accountId: string, type?: EventType, position?: number) => (platform: Platform) =>
    platform.events.list({
      accountId,
      type,
      limit,
      ...cursorAt(`events ${accountId} ${[type, ...Array(4)].join(" ")}`, "evt", position),
    });
  const by =
    (filter: EventFilter, accountId = huge.accountId) =>
    (platform: Platform) =>
      platform.events.list({ accountId, limit, ...filter });
  const most = Math.min(mostExamined, rows);
  const examined = (name: string, answers: number, looksAt: number, filter: EventFilter): Case => ({
    ...{ name: `events ${name}`, answers, ask: by(filter), examines: true },
    // The account's time is read as well.
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
    read("events: the newest", limit, page(huge.accountId)),
    read("events: half way", limit, page(huge.accountId, undefined, rows / 2)),
    read("events: the oldest", 5, page(huge.accountId, undefined, firstRows + 6)),
    read("events: of an account with few", 5, page(small.accountId)),
    read("events: of an account with none", 0, page(none.accountId)),
    read("events of a frequent type: the newest", limit, page(huge.accountId, "wallet.created")),
    read("events of a frequent type: half way", limit, page(huge.accountId, "wallet.created", rows / 2)),
    read("events of a frequent type: the oldest", 2, page(huge.accountId, "wallet.created", firstRows + 6)),
    read("events of a frequent type: of an account with few", 5, page(small.accountId, "wallet.created")),
    read("events of a rare type", 3, page(huge.accountId, "payment.settled")),
    read("events of a rare type: half way", 3, page(huge.accountId, "payment.settled", rows / 2)),
    read("events of a type that never was", 0, page(huge.accountId, "kyc.verified")),
    read("events of an object", 1, by({ objectId: idAt("wal", rows - 1) })),
    read("events of an object that is nobody's", 0, by({ objectId: idAt("wal", rows + 1) })),
    read("events of another's object", 0, by({ objectId: idAt("wal", rows - 1) }, small.accountId)),
    read("events of a busy object", limit, by({ objectId: idAt("wal", 0) })),
    read("events listed of a request", 1, by({ requestId: idAt("req", rows) })),
    read("events listed of a request that caused none", 0, by({ requestId: idAt("req", rows + 1) })),
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
    read("events of a type that another account has", 0, page(small.accountId, "payment.settled")),
    read("events followed: from the oldest", limit, follow(huge.accountId)),
    read("events followed: half way", limit, follow(huge.accountId, byId(rows / 2))),
    read("events followed: half way, by number", limit, follow(huge.accountId, byNumber(rows / 2))),
    read("events followed: the last", 5, follow(huge.accountId, byNumber(rows - 5))),
    read("events followed: nothing new", 0, follow(huge.accountId, byNumber(rows)), eventPartitions),
    read("events followed: of an account with few", 5, follow(small.accountId)),
    read(
      "events followed: of an account with few, nothing new",
      0,
      follow(small.accountId, byNumber(rows)),
      eventPartitions,
    ),
    read("events followed: of an account with none", 0, follow(none.accountId)),
    read("events of a request", 3, ({ events }) =>
      events.idsOfRequest({ accountId: huge.accountId, requestId: idAt("req", 0) }),
    ),
    read("events of another's request", 0, ({ events }) =>
      events.idsOfRequest({ accountId: small.accountId, requestId: idAt("req", 0) }),
    ),
    read("events: one", 1, ({ events }) => events.get({ id: idAt("evt", rows), accountId: huge.accountId })),
    read("events: another's", 0, ({ events }) => events.get({ id: idAt("evt", rows), accountId: small.accountId })),
  ];
};
