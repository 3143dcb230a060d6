import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { countOfHeld } from "../../data/waiting.ts";
import { Icon } from "../../parts/icon.tsx";
import { Money } from "../../parts/money.tsx";
import { useSession } from "../../parts/session-context.tsx";
import { Failure } from "../../parts/states.tsx";
import { Ago } from "../../parts/time.tsx";
import { useAheadMs } from "../../parts/use-ahead.ts";
import { useCall } from "../../parts/use-call.ts";
import { mostWebhooks, useHealth } from "./webhook-health.tsx";

const rollAfterMs = 90 * 86_400_000;

type Need = { id: string; to: string; search: Readonly<Record<string, string>>; text: ReactNode };

/** What waits for a person: failed webhooks, decisions, old keys. Nothing: it says so in a line. Settled: it is known, or could not be. */
export function useNeeds(): { isSettled: boolean; shown: ReactNode } {
  const { permission } = useSession();
  const webhooks = useCall({ operationId: "listWebhooks", query: { limit: 100 } });
  const approvals = useCall({ operationId: "listApprovals", query: { status: "requested", limit: 20 } });
  const reviews = useCall({ operationId: "listKycVerifications", query: { status: "review_required", limit: 20 } });
  const aheadMs = useAheadMs();
  const keys = useCall({ operationId: "listApiKeys" }, { isWanted: permission === "admin", isWhole: true });
  const needs: readonly Need[] = [
    ...(webhooks.data?.data ?? [])
      .filter(({ status }) => status === "failed")
      .map(({ id, url, description, statusChangedAt }, index) => ({
        ...{ id, to: "/webhooks", search: { open: id } },
        text: (
          <>
            Webhook <bdi>{description ?? new URL(url).host}</bdi> failed <Ago at={statusChangedAt} />,{" "}
            <Held webhookId={id} isWanted={index < mostWebhooks} />
          </>
        ),
      })),
    ...(approvals.data?.data ?? []).map(({ id, amount, currency, expiresAt }) => ({
      ...{ id, to: "/inbox", search: { queue: "approvals", open: id } },
      text: (
        <>
          A transfer of <Money amount={amount} currency={currency} /> waits for approval, and expires{" "}
          <Ago at={expiresAt} aheadMs={aheadMs} />
        </>
      ),
    })),
    ...(reviews.data?.data ?? []).map(({ id, reference }) => ({
      ...{ id, to: "/inbox", search: { queue: "kyc", open: id } },
      text: (
        <>
          Verification <bdi>{reference ?? id}</bdi> waits for a review
        </>
      ),
    })),
    ...(approvals.data?.meta.hasMore
      ? [{ id: "approvals", to: "/inbox", search: { queue: "approvals" }, text: "More transfers wait for approval" }]
      : []),
    ...(reviews.data?.meta.hasMore
      ? [{ id: "kyc", to: "/inbox", search: { queue: "kyc" }, text: "More verifications wait for a review" }]
      : []),
    ...(keys.data?.data ?? [])
      .filter(
        ({ status, createdAt, replacedBy }) =>
          status === "active" && replacedBy === null && Date.now() - Date.parse(createdAt) > rollAfterMs,
      )
      .map(({ id, name, createdAt }) => ({
        ...{ id, to: "/keys", search: { open: id } },
        text: (
          <>
            Key <bdi>{name}</bdi> was made <Ago at={createdAt} />: roll it
          </>
        ),
      })),
  ];
  const asked = [webhooks, approvals, reviews, ...(permission === "admin" ? [keys] : [])];
  const failed = asked.find(({ isError, data }) => isError && data === undefined);
  return {
    isSettled: asked.every(({ isFetched }) => isFetched),
    shown: (
      <>
        {needs.length > 0 && <Needs needs={needs} />}
        {failed ? (
          <Failure error={failed.error} retry={() => void failed.refetch()} />
        ) : (
          needs.length === 0 && <NothingNeeded />
        )}
      </>
    ),
  };
}

/** How many events wait for it: asked with the tile of its health, which shows as many webhooks. */
function Held({ webhookId, isWanted }: { webhookId: string; isWanted: boolean }) {
  const { data } = useHealth(webhookId, isWanted);
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
        {needs.map(({ id, to, search, text }) => (
          <li key={id}>
            <Link to={to} search={search as never}>
              <Icon name="warning" size={15} /> <span>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
