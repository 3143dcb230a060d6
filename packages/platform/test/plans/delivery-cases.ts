import type { Platform } from "../../src/compose/platform.ts";
import { mostHeldCounted, type DeliveryFilter } from "../../src/events/index.ts";
import { mostExamined } from "@gateway/engine/examine-page";
import { cursorAt, limit, read, type Case } from "./cases.ts";
import { ago, firstRows, idAt, liveRows, owners, webhookAt, type WebhookName } from "./row-values.ts";

const { huge, small, none } = owners;

/** Row n is delivery 2 n, which is finished, and delivery 2 n + 1, which is pending or held. Both belong to event n. */
export function deliveryCases(rows: number): Case[] {
  const webhookId = (name: WebhookName): string => webhookAt(name, rows);
  const page =
    (accountId: string, filter: DeliveryFilter = {}, position?: number) =>
    ({ events }: Platform): Promise<unknown> => {
      const asked = [filter.webhookId, filter.eventId, filter.statuses?.toSorted().join(), ...Array(5)];
      const list = `deliveries ${accountId} ${asked.join(" ")}`;
      return events.deliveries.list({ accountId, limit, ...filter, ...cursorAt(list, "dlv", position) });
    };
  const of = (name: string, answers: number, filter: DeliveryFilter, position?: number): Case => ({
    name: `deliveries ${name}`,
    answers,
    // Each webhook of the account is read, unless the filter has one or an event.
    looksAt: answers + (filter.webhookId === undefined && filter.eventId === undefined ? liveRows : 0),
    ask: page(huge.accountId, filter, position),
  });
  const ofOther = (name: string, answers: number, accountId: string, filter: DeliveryFilter = {}): Case =>
    read(`deliveries ${name}`, answers, page(accountId, filter));
  const most = Math.min(mostExamined, 2 * rows);
  const examined = (
    name: string,
    answers: number,
    looksAt: number,
    filter: DeliveryFilter,
    accountId = huge.accountId,
  ): Case => ({
    name: `deliveries ${name}`,
    answers,
    looksAt: 2 * looksAt,
    examines: true,
    ask: page(accountId, filter),
  });
  // A row for each hour, and one for each held delivery, up to a maximum.
  const health = (name: string, webhook: WebhookName, held: number): Case => ({
    ...{ name: `the health of a webhook ${name}`, answers: 1, looksAt: 24 + held },
    ask: ({ events }) => events.webhooks.health({ id: webhookId(webhook), accountId: huge.accountId }),
  });
  const event = { eventId: idAt("evt", rows / 4) };
  const oldest = 2 * (firstRows + 12);
  return [
    of("of all", limit, {}),
    of("of all: half way", limit, {}, rows),
    of("of all: the oldest", 20, {}, 2 * (firstRows + 11)),
    ofOther("of an account with few", 10, small.accountId),
    ofOther("of an account with none", 0, none.accountId),

    of("of a webhook with a long history", limit, { webhookId: webhookId("busy") }),
    of("of a webhook with a long history: half way", limit, { webhookId: webhookId("busy") }, rows),
    of("of a webhook with a long history: the oldest", 6, { webhookId: webhookId("busy") }, oldest),
    of("of a webhook with a long backlog", limit, { webhookId: webhookId("backlog") }),
    of("of a webhook with a long backlog: half way", limit, { webhookId: webhookId("backlog") }, rows / 2),
    of("of a webhook with few, the oldest", 5, { webhookId: webhookId("quiet") }),
    of("of a webhook with few that wait", 5, { webhookId: webhookId("waiting") }),
    // Looks for waiting deliveries of the webhook, and for those of each week.
    { ...of("of a webhook with none", 0, { webhookId: webhookId("idle") }), looksAt: 1 },
    ofOther("of another's webhook", 0, small.accountId, { webhookId: webhookId("busy") }),
    ofOther("of another's webhook with a backlog", 0, small.accountId, { webhookId: webhookId("backlog") }),

    of("that were delivered", limit, { statuses: ["delivered"] }),
    of("that were delivered: half way", limit, { statuses: ["delivered"] }, rows),
    of("that failed, the oldest", 3, { statuses: ["failed"] }),
    of("that failed: half way", 3, { statuses: ["failed"] }, rows),
    of("that are pending, behind many held ones", limit, { statuses: ["pending"] }),
    of("that are pending: the oldest", 5, { statuses: ["pending"] }, oldest - 2),
    of("that are held", limit, { statuses: ["held"] }),
    of("that are held: behind many pending ones", 5, { statuses: ["held"] }, rows),
    ...(["delivered", "failed", "pending", "held"] as const).map((status): Case =>
      ofOther(`of an account with none that are ${status}`, 0, none.accountId, { statuses: [status] }),
    ),

    of("that one webhook got", limit, { webhookId: webhookId("busy"), statuses: ["delivered"] }),
    of("that failed at one webhook", 3, { webhookId: webhookId("busy"), statuses: ["failed"] }),
    of("that are pending for a webhook with a history", 0, { webhookId: webhookId("busy"), statuses: ["pending"] }),
    of("that one webhook with a backlog got", 0, { webhookId: webhookId("backlog"), statuses: ["delivered"] }),
    of("that failed at a webhook with few", 0, { webhookId: webhookId("quiet"), statuses: ["failed"] }),
    of("that are pending for one webhook", 5, { webhookId: webhookId("waiting"), statuses: ["pending"] }),
    of("that are held for one webhook", 5, { webhookId: webhookId("stopped"), statuses: ["held"] }),
    of("that are pending for a stopped webhook", 0, { webhookId: webhookId("abandoned"), statuses: ["pending"] }),
    of("that are held for a running webhook", 0, { webhookId: webhookId("backlog"), statuses: ["held"] }),

    of("of an event", 2, event),
    of("of an event that never was", 0, { eventId: idAt("evt", rows + 1) }),
    ofOther("of another's event", 0, small.accountId, event),
    of("of an event to a webhook", 1, { ...event, webhookId: webhookId("busy") }),
    of("of an event to another webhook", 0, { ...event, webhookId: webhookId("quiet") }),
    of("of an event that are delivered", 1, { ...event, statuses: ["delivered"] }),
    of("of an event that failed", 0, { ...event, statuses: ["failed"] }),
    of("of an event that are pending", 1, { ...event, statuses: ["pending"] }),
    of("of an event that are held", 0, { ...event, statuses: ["held"] }),
    of("of an event that a webhook got", 1, { ...event, webhookId: webhookId("busy"), statuses: ["delivered"] }),
    of("of an event pending for a webhook", 1, { ...event, webhookId: webhookId("backlog"), statuses: ["pending"] }),

    of("that failed or were delivered", limit, { statuses: ["failed", "delivered"] }),
    of("that failed or are held", limit, { statuses: ["failed", "held"] }),
    of("that failed at one webhook or wait for it", 3, {
      webhookId: webhookId("busy"),
      statuses: ["failed", "pending"],
    }),
    of("of the past minute", limit, { since: ago(60_000) }),
    of("of before now", limit, { until: ago(-60_000) }),
    of("of the past minute, of a webhook, failed", 3, {
      ...{ since: ago(60_000), until: ago(-60_000) },
      ...{ webhookId: webhookId("busy"), statuses: ["failed"] },
    }),
    of("of a time in which there was nothing", 0, { since: ago(7_200_000), until: ago(3_600_000) }),
    of("of a time in which there was nothing, held", 0, { until: ago(3_600_000), statuses: ["held"] }),
    // Looks for the deliveries of each week.
    {
      ...of("of a webhook with a backlog, of a time without any", 0, {
        ...{ webhookId: webhookId("backlog"), until: ago(3_600_000) },
      }),
      looksAt: 1,
    },

    of("of a request", 2, { requestId: idAt("req", rows / 4) }),
    of("of a request, delivered to a webhook", 1, {
      ...{ requestId: idAt("req", rows / 4), webhookId: webhookId("busy"), statuses: ["delivered"] },
      ...{ eventType: "wallet.created" as const, outcome: "delivered" as const },
    }),
    of("of a request, of another type", 0, { requestId: idAt("req", rows / 4), eventType: "kyc.verified" }),
    of("of a request that caused nothing", 0, { requestId: idAt("req", rows + 1) }),
    ofOther("of another's request", 0, small.accountId, { requestId: idAt("req", rows / 4) }),
    of("of an event, by its type", 2, { ...event, eventType: "wallet.created" }),
    { ...of("of an event, by another type", 0, { ...event, eventType: "kyc.verified" }), looksAt: 1 },
    of("of an event, by the outcome", 1, { ...event, outcome: "http_error" }),

    examined("of a frequent type", limit, 100, { eventType: "wallet.created" }),
    examined("of a rare type, the oldest, at one webhook", 3, 2_000, {
      ...{ eventType: "payment.settled" as const, webhookId: webhookId("quiet") },
    }),
    examined("of a type that never was", 0, most, { eventType: "kyc.verified" }),
    examined("of a type that never was, at a webhook", 0, most, {
      ...{ eventType: "kyc.verified" as const, webhookId: webhookId("busy") },
    }),
    examined("of a type that never was, in a backlog", 0, most, {
      ...{ eventType: "kyc.verified" as const, webhookId: webhookId("backlog") },
    }),
    examined("of a type that never was, held", 0, most, { eventType: "kyc.verified", statuses: ["held"] }),
    examined("of a type that never was, failed", 0, 3, { eventType: "kyc.verified", statuses: ["failed"] }),
    examined("of a type that never was, of a time without any", 0, 1, {
      ...{ eventType: "kyc.verified" as const, until: ago(3_600_000) },
    }),
    examined("with an outcome that is frequent", limit, 100, { outcome: "delivered" }),
    examined("with an outcome that never was", 0, most, { outcome: "tls_failed" }),
    examined("with an outcome that never was, at a webhook, of the past minute, in all states", 0, most, {
      ...{ outcome: "tls_failed" as const, webhookId: webhookId("busy"), since: ago(60_000), until: ago(-60_000) },
      statuses: ["failed", "delivered", "pending", "held"],
    }),
    examined("with an outcome that never was, of an account with few", 0, 10, { outcome: "blocked" }, small.accountId),

    health("with a long history", "busy", 0),
    health("with a long backlog", "backlog", 0),
    health("with a long backlog that is held", "abandoned", Math.min(mostHeldCounted, rows / 2)),

    read("a delivery", 1, ({ events }) => events.deliveries.get({ id: idAt("dlv", rows), accountId: huge.accountId })),
    read("a pending one", 1, ({ events }) =>
      events.deliveries.get({ id: idAt("dlv", rows + 1), accountId: huge.accountId }),
    ),
    read("another's delivery", 0, ({ events }) =>
      events.deliveries.get({ id: idAt("dlv", rows), accountId: small.accountId }),
    ),
  ];
}
