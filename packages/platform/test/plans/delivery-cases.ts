import type { DeliveryFilter, Platform } from "../../src/index.ts";
import { cursorAt, limit, type Case } from "./cases.ts";
import { firstRows, idAt, liveRows, owners, webhookAt, type WebhookName } from "./row-values.ts";

const { huge, small, none } = owners;

/** Row n is delivery 2 n, which is finished, and delivery 2 n + 1, which is pending or held; both of event n. */
export function deliveryCases(rows: number): Case[] {
  const webhookId = (name: WebhookName): string => webhookAt(name, rows);
  const page =
    (accountId: string, filter: DeliveryFilter = {}, position?: number) =>
    ({ events }: Platform): Promise<unknown> => {
      const list = `deliveries ${accountId} ${filter.webhookId ?? ""} ${filter.eventId ?? ""} ${filter.status ?? ""}`;
      return events.deliveries.list({ accountId, limit, ...filter, ...cursorAt(list, "dlv", position) });
    };
  const of = (name: string, answers: number, filter: DeliveryFilter, position?: number): Case => ({
    name: `deliveries ${name}`,
    answers,
    // Each of the account's webhooks, unless one or an event is asked for.
    looksAt: answers + (filter.webhookId === undefined && filter.eventId === undefined ? liveRows : 0),
    ask: page(huge.accountId, filter, position),
  });
  const ofOther = (name: string, answers: number, accountId: string, filter: DeliveryFilter = {}): Case => ({
    name: `deliveries ${name}`,
    answers,
    ask: page(accountId, filter),
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
    // What waits for it is looked for, and what stands in each week.
    { ...of("of a webhook with none", 0, { webhookId: webhookId("idle") }), looksAt: 1 },
    ofOther("of another's webhook", 0, small.accountId, { webhookId: webhookId("busy") }),
    ofOther("of another's webhook with a backlog", 0, small.accountId, { webhookId: webhookId("backlog") }),

    of("that were delivered", limit, { status: "delivered" }),
    of("that were delivered: half way", limit, { status: "delivered" }, rows),
    of("that failed, the oldest", 3, { status: "failed" }),
    of("that failed: half way", 3, { status: "failed" }, rows),
    of("that are pending, behind many held ones", limit, { status: "pending" }),
    of("that are pending: the oldest", 5, { status: "pending" }, oldest - 2),
    of("that are held", limit, { status: "held" }),
    of("that are held: behind many pending ones", 5, { status: "held" }, rows),
    ...(["delivered", "failed", "pending", "held"] as const).map((status): Case =>
      ofOther(`of an account with none that are ${status}`, 0, none.accountId, { status }),
    ),

    of("that one webhook got", limit, { webhookId: webhookId("busy"), status: "delivered" }),
    of("that failed at one webhook", 3, { webhookId: webhookId("busy"), status: "failed" }),
    of("that are pending for a webhook with a history", 0, { webhookId: webhookId("busy"), status: "pending" }),
    of("that one webhook with a backlog got", 0, { webhookId: webhookId("backlog"), status: "delivered" }),
    of("that failed at a webhook with few", 0, { webhookId: webhookId("quiet"), status: "failed" }),
    of("that are pending for one webhook", 5, { webhookId: webhookId("waiting"), status: "pending" }),
    of("that are held for one webhook", 5, { webhookId: webhookId("stopped"), status: "held" }),
    of("that are pending for a stopped webhook", 0, { webhookId: webhookId("abandoned"), status: "pending" }),
    of("that are held for a running webhook", 0, { webhookId: webhookId("backlog"), status: "held" }),

    of("of an event", 2, event),
    of("of an event that never was", 0, { eventId: idAt("evt", rows + 1) }),
    ofOther("of another's event", 0, small.accountId, event),
    of("of an event to a webhook", 1, { ...event, webhookId: webhookId("busy") }),
    of("of an event to another webhook", 0, { ...event, webhookId: webhookId("quiet") }),
    of("of an event that are delivered", 1, { ...event, status: "delivered" }),
    of("of an event that failed", 0, { ...event, status: "failed" }),
    of("of an event that are pending", 1, { ...event, status: "pending" }),
    of("of an event that are held", 0, { ...event, status: "held" }),
    of("of an event that a webhook got", 1, { ...event, webhookId: webhookId("busy"), status: "delivered" }),
    of("of an event pending for a webhook", 1, { ...event, webhookId: webhookId("backlog"), status: "pending" }),

    {
      name: "a delivery",
      answers: 1,
      ask: ({ events }) => events.deliveries.get({ id: idAt("dlv", rows), accountId: huge.accountId }),
    },
    {
      name: "a pending one",
      answers: 1,
      ask: ({ events }) => events.deliveries.get({ id: idAt("dlv", rows + 1), accountId: huge.accountId }),
    },
    {
      name: "another's delivery",
      answers: 0,
      ask: ({ events }) => events.deliveries.get({ id: idAt("dlv", rows), accountId: small.accountId }),
    },
  ];
}
