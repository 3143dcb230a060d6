import { useState } from "react";
import { useAction } from "../../parts/call/use-action.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { ActionButton, Actions } from "../../parts/dialog/actions.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { choicesOf, plainChoices, select } from "../../parts/fields/field-input.tsx";
import { Line, Lines, useLatest } from "../../parts/list/lines.tsx";
import { ScreenLink } from "../../parts/page/address.tsx";
import type { Destination } from "../../parts/page/destination.ts";
import { useSession } from "../../parts/page/session-context.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Loaded, Failure, NoSuchScreen } from "../../parts/shown/states.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { Time } from "../../parts/shown/values.tsx";
import { useToast } from "../../parts/shown/toasts.tsx";

const steps = [
  { seconds: 60, label: "+1 minute" },
  { seconds: 300, label: "+5 minutes" },
  { seconds: 1800, label: "+30 minutes" },
  { seconds: 7200, label: "+2 hours" },
  { seconds: 43_200, label: "+12 hours" },
  { seconds: 86_400, label: "+1 day" },
];

export function SandboxScreen() {
  const { environment } = useSession();
  const clock = useCall({ operationId: "getSandboxClock" }, { isWanted: environment === "sandbox" });
  if (environment === "production") {
    return <NoSuchScreen />;
  }
  return (
    <div className="plain-screen">
      <ScreenHeader
        title="Sandbox"
        about="A clock to move, and external systems to simulate. Production has none of it."
      />
      <Loaded of={clock} rows={2}>
        {({ data }) => <Clock {...data} />}
      </Loaded>
      <section className="block">
        <h2>Prices</h2>
        <p>The prices of an instrument that this account sees from now on.</p>
        <Actions
          of={[
            {
              ...{ do: "price", label: "Set a price", operationId: "setSandboxPrice" },
              dialog: (close) => <SetPrice onClose={close} />,
            },
          ]}
        />
      </section>
      <Outcomes />
    </div>
  );
}

type Outcome = Destination & { what: string; how: string };

const outcomes: readonly Outcome[] = [
  { to: "/wallets", what: "Fund a wallet", how: "open it, then Fund." },
  { to: "/payments", what: "Settle, fail or return a payment", how: "open it, then Simulate the end." },
  { to: "/transfers", what: "Complete or fail a transfer", how: "open it, then Simulate the end." },
  {
    ...{ to: "/wallets", what: "See a deposit come in" },
    how: "open a wallet of BTC, ETH or USDC, then Simulate a deposit.",
  },
  { to: "/inbox", what: "Approve as a simulated owner", how: "open the approval, then Simulate an owner." },
  {
    ...{ to: "/inbox", search: { queue: "kyc", status: "submitted" }, what: "End the checks of a verification" },
    how: "open it, then Simulate the checks.",
  },
];

function Outcomes() {
  return (
    <section className="block">
      <h2>Outcomes</h2>
      <ul className="plain-list">
        {outcomes.map(({ what, how, ...place }) => (
          <li key={what}>
            <ScreenLink {...place}>{what}</ScreenLink>: {how}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Fell = { transitions: number; remaining: number; since: string };

function Clock({ now, aheadSeconds }: { now: string; aheadSeconds: number }) {
  const toast = useToast();
  const [fell, setFell] = useState<Fell | null>(null);
  const advance = useAction<"advanceSandboxClock">(({ data }) => {
    setFell({ ...data, since: now });
    const what = data.transitions === 0 ? "nothing" : `${data.transitions} things`;
    toast(`The clock is moved; ${what} fell due.`);
  });
  const move = (seconds: number): void => {
    if (!advance.isPending) {
      advance.mutate({ operationId: "advanceSandboxClock", body: { seconds } });
    }
  };
  return (
    <section className="block">
      <h2>Clock</h2>
      <p className="clock-now">
        <Time at={now} seconds />{" "}
        <span className="faint">{aheadSeconds === 0 ? "as everywhere" : `${words(aheadSeconds)} ahead`}</span>
      </p>
      <div className="actions">
        {steps.map(({ seconds, label }) => (
          <ActionButton key={seconds} operationId="advanceSandboxClock" onClick={() => move(seconds)}>
            {label}
          </ActionButton>
        ))}
      </div>
      {fell && <FellDue fell={fell} />}
      {advance.error && <Failure error={advance.error} />}
      <AsCode call={{ operationId: "advanceSandboxClock", body: { seconds: 300 } }} />
    </section>
  );
}

/** How much fell due; and the events from where the clock stood to where it stands, each at its own time. */
function FellDue({ fell: { transitions, remaining, since } }: { fell: Fell }) {
  return (
    <>
      <p className="note good" role="status">
        {transitions} things fell due{remaining > 0 && `; ${remaining} more follow by themselves`}.{" "}
        <ScreenLink to="/events">Events</ScreenLink>
      </p>
      {transitions > 0 && <EventsSince since={since} />}
    </>
  );
}

function EventsSince({ since }: { since: string }) {
  const events = useLatest({ operationId: "listEvents", query: { since } }, 20);
  return (
    <Lines of={events} label="What fell due">
      {({ id, type, created }) => (
        <Line key={id} to="/events" open={id} end={<Time at={created} seconds />}>
          {type}
        </Line>
      )}
    </Lines>
  );
}

function words(seconds: number): string {
  const units = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  let rest = seconds;
  return units
    .flatMap(([size, unit]) => {
      const count = Math.floor(rest / size);
      rest %= size;
      return count > 0 ? [`${count} ${unit}`] : [];
    })
    .join(" ");
}

function SetPrice({ onClose }: { onClose(): void }) {
  const instruments = useCall({ operationId: "listInstruments" }, { isChoice: true, isWhole: true });
  const symbols = plainChoices((instruments.data?.data ?? []).map(({ symbol }) => symbol));
  return (
    <ActionDialog<"setSandboxPrice">
      title="Set a price"
      choices={[instruments]}
      fields={[
        select("symbol", "Instrument", [{ value: "", label: "Choose one" }, ...symbols]),
        {
          ...{ name: "price", label: "Price", kind: "text", placeholder: "50000" },
          hint: "Empty: the price as it was before one was set.",
        },
        select("halted", "Trading", choicesOf({ no: "goes on", yes: "is halted" })),
        select("stale", "Sources", choicesOf({ no: "respond", yes: "are silent" })),
      ]}
      initial={{ halted: "no", stale: "no" }}
      submit="Set"
      callOf={({ symbol = "", price = "", halted, stale }) => {
        if (symbol === "") {
          throw new Error("Choose an instrument.");
        }
        return {
          operationId: "setSandboxPrice",
          body: { symbol, price: price.trim() || null, halted: halted === "yes", stale: stale === "yes" },
        };
      }}
      done="The price is set."
      onClose={onClose}
    />
  );
}
