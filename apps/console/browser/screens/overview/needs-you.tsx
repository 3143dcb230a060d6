import type { ReactNode } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { countOfHeld, waitingApprovals, waitingVerifications } from "../../data/waiting.ts";
import type { Destination } from "../../parts/page/destination.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { Icon } from "../../parts/shown/icon.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Ago } from "../../parts/shown/time.tsx";
import { useAheadMs } from "../../parts/call/use-ahead.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { useHealth } from "./webhook-health.tsx";

const rollAfterMs = 90 * 86_400_000;

type Need = Destination & { id: string; text: ReactNode };

/** A line for each kind of thing that waits for a person. Settled: all is known, or could not be. */
export function useNeeds(): { isSettled: boolean; shown: ReactNode } {
  const { permission } = useSession();
  const webhooks = useCall({ operationId: "listWebhooks", query: { limit: 100 } });
  const approvals = useCall(waitingApprovals);
  const reviews = useCall(waitingVerifications);
  const aheadMs = useAheadMs();
  const keys = useCall({ operationId: "listApiKeys" }, { isWanted: permission === "admin", isWhole: true });
  const needs: readonly Need[] = [
    ...needOfWebhooks((webhooks.data?.data ?? []).filter(({ status }) => status === "failed")),
    ...needOfApprovals(approvals.data?.data ?? [], { hasMore: approvals.data?.meta.hasMore ?? false, aheadMs }),
    ...needOfReviews(reviews.data?.data ?? [], { hasMore: reviews.data?.meta.hasMore ?? false }),
    ...needOfKeys((keys.data?.data ?? []).filter(isOld)),
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

function needOfWebhooks(failed: readonly ItemOf<"listWebhooks">[]): Need[] {
  const [first] = failed;
  if (first === undefined) {
    return [];
  }
  const { id, url, description, statusChangedAt } = first;
  return [
    failed.length === 1
      ? {
          ...{ id, to: "/webhooks", open: id },
          text: (
            <>
              Webhook <bdi>{description ?? new URL(url).host}</bdi> failed <Ago at={statusChangedAt} />,{" "}
              <Held webhookId={id} />
            </>
          ),
        }
      : { id, to: "/webhooks", text: `${failed.length} webhooks failed: their events are held` },
  ];
}

function needOfApprovals(
  waiting: readonly ItemOf<"listApprovals">[],
  { hasMore, aheadMs }: { hasMore: boolean; aheadMs: number },
): Need[] {
  // Lists are newest first: of a longer one the next to expire is not here.
  const next = waiting.toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt))[0];
  if (next === undefined) {
    return [];
  }
  const isOne = waiting.length === 1 && !hasMore;
  return [
    {
      ...{ id: next.id, to: "/inbox", open: isOne ? next.id : undefined, search: { queue: "approvals" } },
      text: isOne ? (
        <>
          A transfer of <Money amount={next.amount} currency={next.currency} /> waits for approval, and expires{" "}
          <Ago at={next.expiresAt} aheadMs={aheadMs} />
        </>
      ) : (
        <>
          {countText(waiting.length, hasMore)} transfers wait for approval
          {!hasMore && (
            <>
              ; the next expires <Ago at={next.expiresAt} aheadMs={aheadMs} />
            </>
          )}
        </>
      ),
    },
  ];
}

function needOfReviews(waiting: readonly ItemOf<"listKycVerifications">[], { hasMore }: { hasMore: boolean }): Need[] {
  const [first] = waiting;
  if (first === undefined) {
    return [];
  }
  const { id, reference } = first;
  const isOne = waiting.length === 1 && !hasMore;
  return [
    {
      ...{ id, to: "/inbox", open: isOne ? id : undefined, search: { queue: "kyc" } },
      text: isOne ? (
        <>
          Verification <bdi>{reference ?? id}</bdi> waits for a review
        </>
      ) : (
        `${countText(waiting.length, hasMore)} verifications wait for a review`
      ),
    },
  ];
}

function isOld({ status, createdAt, replacedBy }: ItemOf<"listApiKeys">): boolean {
  return status === "active" && replacedBy === null && Date.now() - Date.parse(createdAt) > rollAfterMs;
}

function needOfKeys(old: readonly ItemOf<"listApiKeys">[]): Need[] {
  const [first] = old;
  if (first === undefined) {
    return [];
  }
  const { id, name, createdAt } = first;
  return [
    old.length === 1
      ? {
          ...{ id, to: "/keys", open: id },
          text: (
            <>
              Key <bdi>{name}</bdi> was made <Ago at={createdAt} />: roll it
            </>
          ),
        }
      : { id, to: "/keys", text: `${old.length} keys are older than 90 days: roll them` },
  ];
}

function countText(count: number, hasMore: boolean): string {
  return hasMore ? `More than ${count}` : `${count}`;
}

/** How many events wait for it: asked with the tile of its health. */
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
