import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callApi, type Call, type ItemOf } from "../../data/calls.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { select, type Choice, type Field, type Values } from "../fields/field-input.tsx";
import { ranges, sinceOf } from "../../data/ranges.ts";
import { Failure } from "../shown/states.tsx";
import { useToast } from "../shown/toasts.tsx";

type Webhook = Pick<ItemOf<"listWebhooks">, "id" | "events" | "url" | "description">;

/** The filters of the list, with which the dialog begins. */
type ReplayFilters = {
  range?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  types?: readonly string[];
  statuses?: readonly string[];
};

type Options = {
  title: string;
  webhooks: readonly Webhook[];
  initial?: ReplayFilters;
  returnTo?: Element | null;
  onClose(): void;
};

const became: readonly Choice[] = [
  { value: "failed", label: "failed", hint: "Given up after the last retry." },
  { value: "delivered", label: "delivered", hint: "Once more, for a receiver that lost them." },
  { value: "missing", label: "missing", hint: "Older than the webhook or its request for their type." },
];

const asFiltered = "filtered";

/** Sends matching events again. A dry run counts them first, then one press sends them. */
export function ReplayDialog({ title, webhooks, initial = {}, returnTo = null, onClose }: Options) {
  const [count, setCount] = useState<number | null>(null);
  const toast = useToast();
  const hasOwnTimes = Boolean(initial.since || initial.until);
  return (
    <ActionDialog<"replayDeliveries">
      title={title}
      fields={fieldsOf(webhooks, initial)}
      initial={{
        webhookId: webhooks[0]?.id ?? "",
        range: hasOwnTimes ? asFiltered : (initial.range ?? "24h"),
        types: (initial.types ?? []).join(" "),
        statuses: (initial.statuses ?? []).join(" "),
      }}
      submit={count === null ? "Send" : count === 1 ? "Send 1 event" : `Send ${count.toLocaleString("en")} events`}
      unavailable={count === null ? "Counting." : count === 0 ? "There is nothing to send." : null}
      preview={(values) => <Count call={callOrNull(values, { webhooks, initial })} onCount={setCount} />}
      callOf={(values) => callOf(values, { webhooks, initial })}
      done={null}
      onDone={({ data, call }) => void sendAll(call, data).then(toast, (error: Error) => toast(error.message))}
      returnTo={returnTo}
      onClose={onClose}
    >
      They are sent with the same ids: a receiver that keeps the ids it has seen ignores them. Events in flight are not
      sent twice, and test events are left out.
    </ActionDialog>
  );
}

function fieldsOf(webhooks: readonly Webhook[], { since, until }: ReplayFilters): readonly Field[] {
  const nameOf = ({ description, url }: Webhook): string => description ?? url;
  const own: readonly Choice[] =
    since || until ? [{ value: asFiltered, label: `As filtered: ${since ?? "…"} to ${until ?? "now"}` }] : [];
  return [
    ...(webhooks.length > 1
      ? [
          select(
            "webhookId",
            "Webhook",
            webhooks.map((webhook) => ({ value: webhook.id, label: nameOf(webhook) })),
          ),
        ]
      : []),
    { name: "range", label: "Events of", kind: "select", choices: [...own, ...ranges] },
    { name: "statuses", label: "That", kind: "checks", choices: became, hint: "None chosen: all of them." },
    {
      name: "types",
      label: "Of the types",
      kind: "checks",
      choices: [...new Set(webhooks.flatMap(({ events }) => events))].map((type) => ({ value: type, label: type })),
      hint: "None chosen: every type that the webhook asks for.",
    },
  ];
}

/** The operation accepts at most thirty days. One minute of it is left as a margin. */
const furthestMs = 30 * 86_400_000 - 60_000;

type Choosing = { webhooks: readonly Webhook[]; initial: ReplayFilters };

function callOrNull(values: Values, choosing: Choosing): Call<"replayDeliveries"> | null {
  try {
    return callOf(values, choosing);
  } catch {
    return null;
  }
}

function callOf(
  { webhookId = "", range = "24h", types = "", statuses = "" }: Values,
  { webhooks, initial }: Choosing,
): Call<"replayDeliveries"> {
  const webhook = webhooks.find(({ id }) => id === webhookId);
  if (!webhook) {
    throw new Error("Choose a webhook.");
  }
  const asked = types.split(" ").filter(Boolean);
  const known: readonly string[] = webhook.events;
  const foreign = asked.filter((type) => !known.includes(type));
  if (foreign.length > 0) {
    throw new Error(`This webhook does not ask for ${foreign.join(", ")}.`);
  }
  const chosen = statuses.split(" ").filter(Boolean);
  const furthest = Math.ceil((Date.now() - furthestMs) / 60_000) * 60_000;
  const from = range === asFiltered ? initial.since : sinceOf(range);
  const since = new Date(Math.max(furthest, Date.parse(from ?? "") || 0)).toISOString();
  return {
    operationId: "replayDeliveries",
    path: { webhookId },
    body: {
      since,
      ...(range === asFiltered && initial.until && { until: initial.until }),
      ...(asked.length > 0 && { types: asked }),
      ...(chosen.length > 0 && { statuses: chosen }),
    },
  };
}

type Counted = { count: number; nextCursor: string | null };

/** Makes a dry run of the very call that would be sent, once the choice rests for a moment. */
function Count({ call, onCount }: { call: Call<"replayDeliveries"> | null; onCount(count: number | null): void }) {
  const asked = useRested(JSON.stringify(call));
  const query = useQuery({
    queryKey: ["dry run", asked],
    // The text is that of a `call`: the query is disabled for the text of null.
    queryFn: ({ signal }) => countAll(JSON.parse(asked) as Call<"replayDeliveries">, signal),
    enabled: asked !== "null",
    staleTime: 0,
    gcTime: 0,
  });
  const count = query.isSuccess && !query.isFetching && asked === JSON.stringify(call) ? query.data : null;
  useEffect(() => onCount(count), [count, onCount]);
  return (
    <div className="replay-count" role="status">
      {query.isError ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : call === null ? null : count === null ? (
        <p className="faint">Counting…</p>
      ) : (
        <p>
          <strong>{count.toLocaleString("en")}</strong> {count === 1 ? "event matches." : "events match."}
        </p>
      )}
      <p className="faint">Counting sends nothing. The times are those of the events, by the clock of the account.</p>
    </div>
  );
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 350);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

function bodyOf({ body }: Call<"replayDeliveries">): object {
  // `callOf` made the body, so it is an object.
  return body as object;
}

/** One call examines 50,000 events. When there are more, the next call continues. */
async function countAll(call: Call<"replayDeliveries">, signal: AbortSignal): Promise<number> {
  let sum = 0;
  let cursor: string | null = null;
  do {
    const body: object = { ...bodyOf(call), dryRun: true, ...(cursor !== null && { cursor }) };
    const { data }: { data: Counted } = await callApi({ ...call, body }, { signal });
    sum += data.count;
    cursor = data.nextCursor;
  } while (cursor !== null);
  return sum;
}

/** Continues after the first response. Returns a text about the outcome, even when a call failed. */
async function sendAll(call: Call<"replayDeliveries">, first: Counted): Promise<string> {
  let [sum, cursor] = [first.count, first.nextCursor];
  try {
    while (cursor !== null) {
      const { data } = await callApi({ ...call, body: { ...bodyOf(call), cursor } });
      [sum, cursor] = [sum + data.count, data.nextCursor];
    }
  } catch {
    return `${sum.toLocaleString("en")} events are being sent again, then the replay was interrupted: replay the rest.`;
  }
  return sum === 1 ? "1 event is being sent again." : `${sum.toLocaleString("en")} events are being sent again.`;
}
