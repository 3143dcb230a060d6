import { whyNot } from "../../data/permissions.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Money, DeliveryState, LastAttempt, Time } from "../../parts/shown/values.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { Line, Lines } from "../../parts/list/lines.tsx";
import { FailedPart, LoadingRows } from "../../parts/shown/states.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useFirstSteps } from "./first-steps.tsx";
import { useNeeds } from "./needs-you.tsx";
import { Errors, Tiles, useDay, Card } from "./tiles.tsx";
import { WebhookHealth } from "./webhook-health.tsx";

/**
 * The overview. The top has an unknown height, so it loads before everything else is shown. The parts below have their
 * height from the beginning, so that nothing moves just before a press. A part whose call failed counts as settled.
 */
export function OverviewScreen() {
  const session = useSession();
  const needs = useNeeds();
  const steps = useFirstSteps({ isWanted: whyNot(session, "listApiKeys") === null });
  const day = useDay();
  const wallets = useWallets();
  return (
    <div className="plain-screen">
      <ScreenHeader title="Overview" />
      {needs.isSettled && steps.isSettled && day.usage.isFetched ? (
        <>
          {needs.shown}
          {steps.shown}
          <Tiles day={day} />
          <div className="columns">
            <Errors day={day} />
            <WebhookHealth />
            <Balances wallets={wallets} />
            {/* On a phone it is below them. */}
            {wallets.isSettled && <Activity />}
          </div>
        </>
      ) : (
        <LoadingRows />
      )}
    </div>
  );
}

const walletsCall = { operationId: "listWallets", query: { status: "active", limit: 8 } } as const;
const eventsCall = { operationId: "listEvents", query: { limit: 8 } } as const;
const deliveriesCall = { operationId: "listDeliveries", query: { limit: 5 } } as const;

/** The first wallets, and the total worth of all wallets. Settled: both are known, or have failed. */
function useWallets() {
  const list = useCall(walletsCall);
  const portfolio = useCall({ operationId: "getPortfolio" });
  return { list, portfolio, isSettled: list.isFetched && portfolio.isFetched };
}

function Balances({ wallets: { list, portfolio, isSettled } }: { wallets: ReturnType<typeof useWallets> }) {
  return (
    <Card label="Wallets" all={{ to: "/wallets" }}>
      {isSettled ? (
        <>
          <Lines of={list} empty="None yet.">
            {({ id, name, currency, balance }) => (
              <Line key={id} to="/wallets" open={id} end={<Money amount={balance.available} currency={currency} />}>
                <bdi>{name}</bdi>
              </Line>
            )}
          </Lines>
          <Total of={portfolio} />
          {list.data && <AsCode call={walletsCall} />}
        </>
      ) : (
        <LoadingRows count={4} />
      )}
    </Card>
  );
}

function Total({ of: portfolio }: { of: ReturnType<typeof useWallets>["portfolio"] }) {
  const { equity, currency, priceStale } = portfolio.data?.data ?? {};
  return (
    <>
      <FailedPart of={portfolio} />
      {currency !== undefined && (
        <p className="total">
          <span>
            All wallets together
            {priceStale && <small>by prices of more than two minutes ago</small>}
          </span>
          {equity === null || equity === undefined ? (
            <span className="faint">not known: something has no price now</span>
          ) : (
            <Money amount={equity} currency={currency} />
          )}
        </p>
      )}
    </>
  );
}

function Activity() {
  const events = useCall(eventsCall);
  const deliveries = useCall(deliveriesCall);
  return (
    <Card label="Activity" title="Events" all={{ to: "/events" }}>
      {events.isPending && <LoadingRows count={4} />}
      <Lines of={events} empty="Nothing happened yet.">
        {({ id, type, created }) => (
          <Line key={id} to="/events" open={id} more={<Time at={created} seconds />}>
            <code>{type}</code>
          </Line>
        )}
      </Lines>
      {events.data && <AsCode call={eventsCall} />}
      <FailedPart of={deliveries} />
      {!events.isPending && deliveries.data !== undefined && deliveries.data.data.length > 0 && (
        <>
          <h2>
            Deliveries <ScreenLink to="/deliveries">All</ScreenLink>
          </h2>
          <Lines of={deliveries}>
            {(delivery) => (
              <Line
                key={delivery.id}
                {...{ to: "/deliveries", open: delivery.id }}
                more={<LastAttempt of={delivery} />}
                end={<DeliveryState of={delivery} />}
              >
                <code>{delivery.eventType}</code>
              </Line>
            )}
          </Lines>
          <AsCode call={deliveriesCall} />
        </>
      )}
    </Card>
  );
}
