import { maxAttempts, warningAttempt } from "@gateway/webhooks";
import type { DataOf } from "../../data/calls.ts";
import type { ReactNode } from "react";
import { usePreferences } from "../../data/preferences.ts";
import { ago, formatTime } from "../../parts/shown/values.tsx";
import { describeWait } from "./describe-wait.ts";

type Delivery = DataOf<"getDelivery">;
type Attempt = Delivery["attempts"][number];

/** A list of the attempts and their outcomes, then of those planned while none succeeds. Outcomes are in words too. */
export function Timeline({ delivery }: { delivery: Delivery }) {
  const { zone } = usePreferences();
  const { attempts, schedule, status } = delivery;
  const text = (at: string): string => formatTime(new Date(at), zone, true);
  if (attempts.length === 0 && schedule.length === 0) {
    return (
      <p className="note">
        {status === "held" ? "It is held, and sent when its webhook is enabled." : "Not tried yet."}
      </p>
    );
  }
  return (
    <ol className="timeline" aria-label="Attempts">
      {attempts.map((attempt, index) => (
        <li key={attempt.number} data-outcome={attempt.outcome === "delivered" ? "good" : "bad"}>
          <div className="timeline-line">
            <strong>{resultOf(attempt)}</strong>
            <span>
              {text(attempt.startedAt)} · {attempt.durationMs} ms{attempt.manual && " · resent by hand"}
              {waited(attempts[index - 1]?.startedAt, attempt.startedAt)}
              {attempt.outcome !== "delivered" && whatFollows(positionOf(attempts, index))}
            </span>
          </div>
          {reasons[attempt.outcome] && <p className="faint">{reasons[attempt.outcome]}</p>}
          {attempt.responseStart !== null && attempt.responseStart !== "" && (
            <pre className="answer" tabIndex={0} aria-label={`What attempt ${attempt.number} was answered`}>
              {attempt.responseStart}
            </pre>
          )}
        </li>
      ))}
      {schedule.map(({ number, plannedAt }, index) => (
        <li key={number} data-outcome="planned">
          <div className="timeline-line">
            <strong>{index === 0 ? "next" : `attempt ${number}`}</strong>
            <span>
              {index === 0 ? "" : "about "}
              {text(plannedAt)}
              {index === 0 && `, ${ago(new Date(plannedAt))}`}
              {waited(schedule[index - 1]?.plannedAt ?? attempts.at(-1)?.startedAt, plannedAt)}
              {whatFollows(maxAttempts - schedule.length + index + 1, "if it fails: ")}
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}

function resultOf({ outcome, httpStatus }: Attempt): string {
  return httpStatus === null ? outcome.replaceAll("_", " ") : String(httpStatus);
}

/** The position in its schedule, from 1. Each resend by hand begins a new schedule. */
function positionOf(attempts: readonly Attempt[], index: number): number {
  return (
    index -
    Math.max(
      0,
      attempts.findLastIndex(({ manual }, at) => manual && at <= index),
    ) +
    1
  );
}

/** The further effect of a failed attempt. The warning is sent once, until a delivery succeeds. */
function whatFollows(position: number, when = ""): ReactNode {
  const what = { [warningAttempt]: "mail sent", [maxAttempts]: "webhook fails" }[position];
  return (
    what && (
      <>
        {" "}
        · {when}
        <strong>{what} ▲</strong>
      </>
    )
  );
}

/** Details that the word does not say. A response has no detail, because its status is shown. */
const reasons: Readonly<Record<string, string>> = {
  timeout: "There was no complete answer within 5 seconds.",
  connection_failed: "The name did not resolve, the connection was refused or lost.",
  tls_failed:
    "No secure connection was established, for example because the certificate is for another name. Nothing was sent.",
  headers_too_large: "The headers of the response have more than 16 KiB.",
  invalid_response: "The response is not HTTP, or breaks its rules, such as with two Content-Length headers.",
  blocked: "The host has an address that we do not call. Nothing was sent.",
};

/** The wait after the previous attempt: ` · after 5 min`. */
function waited(from: string | undefined, to: string): string {
  const waitMs = from === undefined ? 0 : Date.parse(to) - Date.parse(from);
  return waitMs < 1000 ? "" : ` · after ${describeWait(waitMs)}`;
}
