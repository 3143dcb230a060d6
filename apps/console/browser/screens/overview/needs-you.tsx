import type { ReactNode } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { countOfHeld, waitingApprovals, waitingVerifications } from "../../data/waiting.ts";
import type { Destination } from "../../parts/page/destination.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Icon } from "../../parts/shown/icon.tsx";
import { Money, Ago } from "../../parts/shown/values.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { useAheadMs, useCall } from "../../parts/call/use-call.ts";
import { useHealth } from "./webhook-health.tsx";

const rollAfterMs = 90 * 86_400_000;

type Need = Destination & { id: string; text: ReactNode };

/** One line for each kind of work that waits for a person. Settled: all responses have arrived, or failed. */
export function useNeeds(): { isSettled: boolean; shown: ReactNode } {
  const { permission } = useSession();
  const webhooks = useCall({ operationId: "listWebhooks", query: { limit: 100 } });
  const approvals = useCall(waitingApprovals);
  const reviews = useCall(waitingVerifications);
  const aheadMs = useAheadMs();
  const keys = useCall({ operationId: "listApiKeys" }, { isWanted: permission === "admin", isWhole: true });
  const needs: readonly Need[] = [
    ...needOf(
      webhooks.data?.data.filter(({ status }) => status === "failed"),
      {
        place: { to: "/webhooks" },
        one: (webhook) => <FailedWebhook webhook={webhook} />,
        many: (count) => `${count} webhooks failed: their events are held`,
      },
    ),
    ...needOfApprovals(approvals.data?.data ?? [], { hasMore: approvals.data?.meta.hasMore ?? false, aheadMs }),
    ...needOf(reviews.data?.data, {
      hasMore: reviews.data?.meta.hasMore,
      place: { to: "/inbox", search: { queue: "kyc" } },
      one: ({ id, reference }) => (
        <>
          Verification <bdi>{reference ?? id}</bdi> waits for a review
        </>
      ),
      many: (count) => `${count} verifications wait for a review`,
    }),
    ...needOf(keys.data?.data.filter(isOld), {
      place: { to: "/keys" },
      one: ({ name, createdAt }) => (
        <>
          Key <bdi>{name}</bdi> was made <Ago at={createdAt} />: roll it
        </>
      ),
      many: (count) => `${count} keys are older than 90 days: roll them`,
    }),
  ];
  const asked = [webhooks, approvals, reviews, ...(permission === "admin" ? [keys] : [])];
  const failed = asked.find(({ isError, data }) => isError && data === undefined);
  return {
    isSettled: asked.every(({ isFetched }) => isFetched),
    shown: (
      <>
        {needs.length > 0 && <Needs needs={needs} />}
        {failed ? <FailedPart of={failed} /> : needs.length === 0 && <NothingNeeded />}
      </>
    ),
  };
}

type NeedOptions<Item> = {
  hasMore?: boolean | undefined;
  place: Destination;
  one(item: Item): ReactNode;
  many(count: string): ReactNode;
};

/** A line for objects of one kind. It opens a single object, and counts several. */
function needOf<Item extends { id: string }>(
  items: readonly Item[] = [],
  { hasMore = false, place, one, many }: NeedOptions<Item>,
): Need[] {
  const [first] = items;
  if (first === undefined) {
    return [];
  }
  const { id } = first;
  return items.length === 1 && !hasMore
    ? [{ ...place, id, open: id, text: one(first) }]
    : [{ ...place, id, text: many(hasMore ? `More than ${items.length}` : `${items.length}`) }];
}

function needOfApprovals(
  waiting: readonly ItemOf<"listApprovals">[],
  { hasMore, aheadMs }: { hasMore: boolean; aheadMs: number },
): Need[] {
  // Lists are newest first, so a longer one may lack the next to expire.
  const sorted = waiting.toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt));
  const next = <Ago at={sorted[0]?.expiresAt ?? null} aheadMs={aheadMs} />;
  return needOf(sorted, {
    hasMore,
    place: { to: "/inbox", search: { queue: "approvals" } },
    one: ({ amount, currency }) => (
      <>
        A transfer of <Money amount={amount} currency={currency} /> waits for approval, and expires {next}
      </>
    ),
    many: (count) => (
      <>
        {count} transfers wait for approval{!hasMore && <>; the next expires {next}</>}
      </>
    ),
  });
}

function isOld({ status, createdAt, replacedBy }: ItemOf<"listApiKeys">): boolean {
  return status === "active" && replacedBy === null && Date.now() - Date.parse(createdAt) > rollAfterMs;
}

function FailedWebhook({ webhook: { id, url, description, statusChangedAt } }: { webhook: ItemOf<"listWebhooks"> }) {
  return (
    <>
      Webhook <bdi>{description ?? new URL(url).host}</bdi> failed <Ago at={statusChangedAt} />, <Held webhookId={id} />
    </>
  );
}

/** The number of events that wait for it, read together with the tile of its health. */
function Held({ webhookId }: { webhookId: string }) {
  const { data } = useHealth(webhookId);
  return data === undefined ? "its events are held" : `${countOfHeld(data.data.held)} held`;
}

function NothingNeeded() {
  return (
    <p className="calm">
      <Icon name="check" /> Nothing needs you.
    </p>
  );
}

function Needs({ needs }: { needs: readonly Need[] }) {
  return (
    <section className="needs" aria-label="Needs you">
      <h2>Needs you</h2>
      <ul>
        {needs.map(({ id, text, ...destination }) => (
          <li key={id}>
            <ScreenLink {...destination}>
              <Icon name="warning" size={15} /> <span>{text}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
