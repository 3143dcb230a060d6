import { Sparkline } from "../../chart/sparkline.tsx";
import type { ItemOf } from "../../data/calls.ts";
import { countOfHeld } from "../../data/waiting.ts";
import { shareText } from "../../data/usage-buckets.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Badge } from "../../parts/shown/values.tsx";
import { FailedPart, LoadingRows } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { Card } from "./tiles.tsx";

/** Each costs a read a minute of the 120 that all people of the account share. */
const mostWebhooks = 4;

export function useHealth(webhookId: string, isWanted = true) {
  return useCall({ operationId: "getWebhookHealth", path: { webhookId } }, { isWanted, everyMs: 60_000 });
}

export function WebhookHealth() {
  const webhooks = useCall({ operationId: "listWebhooks", query: { limit: 100 } });
  const rank: Readonly<Record<string, number>> = { failed: 0, enabled: 1, disabled: 2 };
  const shown = (webhooks.data?.data ?? [])
    .toSorted((a, b) => (rank[a.status] ?? 3) - (rank[b.status] ?? 3))
    .slice(0, mostWebhooks);
  return (
    <Card label="Deliveries by webhook" title="Deliveries, 24 h" all={{ to: "/webhooks" }} isFixed>
      <FailedPart of={webhooks} />
      {webhooks.isPending && <LoadingRows count={3} />}
      {webhooks.data?.data.length === 0 && <p className="faint">No webhook yet.</p>}
      <ul className="lines health-lines">
        {shown.map((webhook) => (
          <HealthLine key={webhook.id} webhook={webhook} />
        ))}
      </ul>
    </Card>
  );
}

function HealthLine({ webhook }: { webhook: ItemOf<"listWebhooks"> }) {
  const { id, url, description, status } = webhook;
  const health = useHealth(id);
  const { attempts = 0, delivered = 0, failed = 0, held = 0, perHour = [] } = health.data?.data ?? {};
  return (
    <li>
      <ScreenLink to="/webhooks" open={id} className="cut">
        <bdi>{description ?? new URL(url).host}</bdi>
      </ScreenLink>
      {status !== "enabled" && <Badge state={status} />}
      <span className="health-figures">
        {health.isError && !health.data && <span className="faint">not known now</span>}
        {health.data && (
          <>
            <Sparkline
              values={perHour.map((hour) => hour.attempts)}
              tone={failed > 0 ? "bad" : "plain"}
              label={`Attempts by the hour, ${attempts} in 24 hours.`}
            />
            <span className="number" title={`${delivered} of ${attempts} attempts were delivered`}>
              {held > 0
                ? `${countOfHeld(held)} held`
                : attempts === 0
                  ? "nothing sent"
                  : shareText(delivered, attempts)}
            </span>
          </>
        )}
      </span>
    </li>
  );
}
