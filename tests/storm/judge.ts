import { maxAttempts } from "@gateway/webhooks";
import type { Arrivals, Endpoint } from "./endpoint.ts";
import type { OutcomeRow, StoredEvent } from "./read-outcomes.ts";

export type EndpointCounts = {
  name: string;
  delivered: number;
  failed: number;
  held: number;
  attempts: number;
  arrivals: number;
  /** Arrivals without an attempt in the log, because the dispatcher or the database was killed before the write. */
  unrecorded: number;
  /** Successes after the first one of an event. */
  repeated: number;
};

export type Promised = { text: string; count: number; isKept: boolean };

export type Evidence = {
  outcomes: readonly OutcomeRow[];
  storedEvents: readonly StoredEvent[];
  acknowledged: readonly string[];
  /** The endpoints by the id of their webhook. */
  endpoints: ReadonlyMap<string, Endpoint>;
  kills: number;
  /** The number of deliveries that one dispatcher may have in flight. */
  inFlight: number;
  diedCount: number;
  exitCodes: readonly (number | null)[];
};

/**
 * Compares the outcomes in the database with the arrivals at the endpoints. Each count is of something forbidden,
 * except where a promise states a limit.
 */
export function judge(evidence: Evidence): { counts: EndpointCounts[]; promises: Promised[] } {
  const { outcomes, storedEvents, acknowledged, endpoints, kills, inFlight } = evidence;
  const stored = new Set(storedEvents.map(({ id }) => id));
  const owners = [...endpoints.values()].map(({ accountId }) => accountId);
  const owed = sum(storedEvents.map((event) => owners.filter((owner) => owner === event.account_id).length));
  const counts = [...endpoints].map(([webhookId, endpoint]) => countEndpoint(webhookId, endpoint, outcomes));
  const pairs = new Set(outcomes.map((row) => `${row.event_id} ${row.webhook_id}`));
  const never = (text: string, count: number): Promised => ({ text, count, isKept: count === 0 });
  const countRows = (isWrong: (row: OutcomeRow) => boolean): number => outcomes.filter(isWrong).length;
  const seenBy = (row: OutcomeRow): number =>
    endpoints.get(row.webhook_id)?.arrivals.get(row.event_id)?.acceptedCount ?? 0;
  const limit = kills * inFlight;
  const atMost = (text: string, count: number): Promised => ({
    text: `${text}, at most ${kills} kills x ${inFlight} in flight = ${limit}`,
    count,
    isKept: count <= limit,
  });
  return {
    counts,
    promises: [
      never("acknowledged events that are not stored", acknowledged.filter((id) => !stored.has(id)).length),
      never("pairs of event and endpoint without a delivery", owed - pairs.size),
      never("deliveries that are doubled", outcomes.length - pairs.size),
      never(
        "deliveries neither delivered nor failed",
        countRows(({ status }) => status === "pending"),
      ),
      never(
        "deliveries held for an endpoint that answers",
        countRows((row) => row.status === "held" && !endpoints.get(row.webhook_id)?.isHopeless),
      ),
      never("endpoints that nothing came to", counts.filter(({ arrivals }) => arrivals === 0).length),
      never("failed after other than six attempts", countRows(isFailedOtherwise)),
      never("delivered without one success, the last of at most six attempts", countRows(isDeliveredOtherwise)),
      never(
        "attempt counts that differ from the log",
        countRows((row) => row.attempt_count !== row.logged),
      ),
      never(
        "delivered, but the endpoint never accepted it",
        countRows((row) => row.status === "delivered" && seenBy(row) === 0),
      ),
      never("retries before their time", sum(outcomes.map(({ early }) => early))),
      never("signatures that did not fit", sum([...endpoints.values()].map((endpoint) => endpoint.forgedCount()))),
      never("dispatchers that ended by themselves", evidence.diedCount),
      never("dispatchers that did not stop in order", evidence.exitCodes.filter((code) => code !== 0).length),
      atMost("arrivals beyond the log", sum(counts.map(({ unrecorded }) => unrecorded))),
      atMost("events that came again after a success", sum(counts.map(({ repeated }) => repeated))),
    ],
  };
}

function countEndpoint(webhookId: string, endpoint: Endpoint, outcomes: readonly OutcomeRow[]): EndpointCounts {
  const rows = outcomes.filter((row) => row.webhook_id === webhookId);
  const seen = [...endpoint.arrivals.values()];
  return {
    name: endpoint.name,
    delivered: rows.filter(({ status }) => status === "delivered").length,
    failed: rows.filter(({ status }) => status === "failed").length,
    held: rows.filter(({ status }) => status === "held").length,
    attempts: sum(rows.map(({ logged }) => logged)),
    arrivals: sum(seen.map(({ count }) => count)),
    unrecorded: sum(rows.map((row) => Math.max(0, owedAttempts(endpoint.arrivals.get(row.event_id)) - row.logged))),
    repeated: sum(seen.map(({ acceptedCount }) => Math.max(0, acceptedCount - 1))),
  };
}

function owedAttempts(seen: Arrivals | undefined): number {
  return seen ? seen.count - seen.keptResetCount : 0;
}

function isFailedOtherwise({ status, logged, succeeded }: OutcomeRow): boolean {
  return status === "failed" && (logged !== maxAttempts || succeeded > 0);
}

function isDeliveredOtherwise({ status, logged, succeeded }: OutcomeRow): boolean {
  return status === "delivered" && (succeeded !== 1 || logged > maxAttempts);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
