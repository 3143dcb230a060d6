import { retryDelaysMs } from "@gateway/webhooks";
import type { DataOf } from "../../data/calls.ts";
import { formatTime } from "../../parts/time.tsx";
import { usePreferences } from "../../data/preferences.ts";

type Delivery = DataOf<"getDelivery">;

/** Each attempt and what it came to, then those that are planned if none succeeds: a list, in words too. */
export function Timeline({ delivery }: { delivery: Delivery }) {
  const { zone } = usePreferences();
  const { attempts } = delivery;
  const planned = plannedAttempts(delivery);
  const text = (date: Date): string => formatTime(date, zone, true);
  return (
    <ol className="timeline" aria-label="Attempts">
      {attempts.map(({ number, startedAt, durationMs, outcome, httpStatus, responseStart, manual }) => (
        <li key={number} data-outcome={outcome === "delivered" ? "good" : "bad"}>
          <div className="timeline-line">
            <strong>
              {outcome === "http_error" || outcome === "delivered" ? httpStatus : outcome.replaceAll("_", " ")}
            </strong>
            <span>
              {text(new Date(startedAt))} · {durationMs} ms{manual && " · resent by hand"}
            </span>
          </div>
          {responseStart !== null && responseStart !== "" && (
            <pre className="answer" tabIndex={0} aria-label={`What attempt ${number} was answered`}>
              {responseStart}
            </pre>
          )}
        </li>
      ))}
      {planned.map(({ number, at }, index) => (
        <li key={number} data-outcome="planned">
          <div className="timeline-line">
            <strong>{index === 0 ? "next" : `attempt ${number}`}</strong>
            <span>
              {index === 0 ? "" : "about "}
              {text(at)}
              {number === retryDelaysMs.length + 1 && " · the last: then the webhook fails, and its owners get a mail"}
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** From the next attempt on, by the schedule of the protocol: waits grow by up to a twentieth, so later ones are about so. */
export function plannedAttempts({
  attempts,
  nextAttemptAt,
  status,
}: Pick<Delivery, "attempts" | "nextAttemptAt" | "status">): { number: number; at: Date }[] {
  if (status !== "pending" || nextAttemptAt === null) {
    return [];
  }
  const done = attempts.filter(({ manual }) => !manual).length;
  let atMs = Date.parse(nextAttemptAt);
  return Array.from({ length: retryDelaysMs.length + 1 - done }, (_, index) => {
    const number = done + index + 1;
    atMs += index === 0 ? 0 : (retryDelaysMs[number - 2] ?? 0);
    return { number, at: new Date(atMs) };
  });
}
