import type { DataOf } from "../../data/calls.ts";
import { countOfHeld } from "../../data/waiting.ts";
import { usePreferences } from "../../data/preferences.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Facts, AsTable, Ago, formatTime, Time } from "../../parts/shown/values.tsx";
import { FailedPart, LoadingRows } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Health = DataOf<"getWebhookHealth">;
type Place = { webhookId: string; status: string };

/** An account has up to fifty webhooks in sight, so each is read only every two minutes. */
const listEveryMs = 120_000;
const paneEveryMs = 10_000;

export function HealthInShort({ webhookId, status }: Place) {
  const { data } = useCall({ operationId: "getWebhookHealth", path: { webhookId } }, { everyMs: listEveryMs });
  if (data === undefined) {
    return <span className="faint">–</span>;
  }
  const { held, failedInARow, attempts } = data.data;
  return (
    <span className="health">
      <span className="dot" data-tone={toneOf(status, data.data)} aria-hidden="true" />
      {attempts === 0 ? <span className="faint">nothing sent</span> : shareOf(data.data)}
      {held > 0 && ` · ${countOfHeld(held)} held`}
      {held === 0 && failedInARow > 0 && ` · ${failedInARow} failed in a row`}
    </span>
  );
}

function toneOf(status: string, { failedInARow }: Health): "good" | "wait" | "bad" | "plain" {
  if (status === "failed") {
    return "bad";
  }
  return status === "disabled" ? "plain" : failedInARow > 0 ? "wait" : "good";
}

/** The share of the attempts that arrived, never rounded up to all. */
function shareOf({ attempts, delivered }: Pick<Health, "attempts" | "delivered">): string {
  const share = Math.floor((1000 * delivered) / attempts) / 10;
  return `${share.toLocaleString("en", { maximumFractionDigits: 1 })} %`;
}

export function HealthSection({ webhookId }: { webhookId: string }) {
  const { zone } = usePreferences();
  const query = useCall({ operationId: "getWebhookHealth", path: { webhookId } }, { everyMs: paneEveryMs });
  const health = query.data?.data;
  return (
    <section className="below" aria-label="Health">
      <h3>Health in 24 hours</h3>
      {query.isPending && <LoadingRows count={2} />}
      <FailedPart of={query} />
      {health && (
        <>
          <HourBars hours={health.perHour} nameOf={(hour) => formatTime(new Date(hour), zone, false)} />
          <Facts rows={factsOf(health)} />
        </>
      )}
    </section>
  );
}

function factsOf(health: Health): React.ComponentProps<typeof Facts>["rows"] {
  const { attempts, delivered, failed, p95Ms, failedInARow, held, oldestHeldAt, nextAttemptAt, lastFailure } = health;
  return [
    [
      "Attempts",
      attempts === 0
        ? "none"
        : `${attempts.toLocaleString("en")}: ${delivered.toLocaleString("en")} delivered (${shareOf(health)}), ${failed.toLocaleString("en")} failed`,
    ],
    p95Ms !== null && ["95 of 100 took", `${p95Ms} ms at most`],
    failedInARow > 0 && ["Failed in a row", failedInARow.toLocaleString("en")],
    held > 0 && [
      "Held",
      <span key="held">
        {countOfHeld(held)}
        {oldestHeldAt !== null && (
          <>
            , the oldest since <Time at={oldestHeldAt} />
          </>
        )}
      </span>,
    ],
    nextAttemptAt && ["Next attempt", <Ago key="next" at={nextAttemptAt} />],
    lastFailure && [
      "Last failure",
      <span key="failure">
        <ScreenLink to="/deliveries" open={lastFailure.deliveryId}>
          {lastFailure.httpStatus ?? lastFailure.outcome.replaceAll("_", " ")}
        </ScreenLink>{" "}
        <Ago at={lastFailure.failedAt} />
      </span>,
    ],
  ];
}

type Hour = DataOf<"getWebhookHealth">["perHour"][number];

const [barWidth, barStep, height] = [9, 12, 44];

function HourBars({ hours, nameOf }: { hours: readonly Hour[]; nameOf(hour: string): string }) {
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts));
  const scaled = (count: number): number => (count === 0 ? 0 : Math.max(2, (height * count) / most));
  const [first, last] = [hours[0], hours.at(-1)];
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <figure className="hours">
      <svg
        viewBox={`0 0 ${hours.length * barStep} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Attempts by the hour, at most ${most}; ${failed} failed`}
      >
        {hours.map(({ startsAt, delivered, failed: bad, attempts }, index) => (
          <g key={startsAt}>
            <title>{`${nameOf(startsAt)}: ${attempts} attempts, ${bad} failed`}</title>
            <rect className="hour" x={index * barStep} y={0} width={barStep} height={height} />
            <Bar tone="good" index={index} from={0} size={scaled(delivered)} />
            <Bar tone="bad" index={index} from={scaled(delivered)} size={scaled(bad)} />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{first && nameOf(first.startsAt)}</span>
        <span>{last && nameOf(last.startsAt)}</span>
      </figcaption>
      <AsTable
        summary="As a table"
        label="Attempts by the hour, as a table"
        caption="Attempts by the hour"
        heads={["Hour", "Attempts", "Delivered", "Failed", "p95"]}
        rows={hours
          .toReversed()
          .map(({ startsAt, attempts, delivered, failed: bad, p95Ms }) => [
            ...[nameOf(startsAt), attempts, delivered, bad],
            p95Ms === null ? "–" : `${p95Ms} ms`,
          ])}
      />
    </figure>
  );
}

function Bar({ tone, index, from, size }: { tone: "good" | "bad"; index: number; from: number; size: number }) {
  const top = Math.max(0, height - from - size);
  return size === 0 ? null : (
    <rect data-tone={tone} x={index * barStep + 1} y={top} width={barWidth} height={height - from - top} />
  );
}
