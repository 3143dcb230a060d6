import { useState } from "react";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { FailedPart, Failure, LoadingRows, NoSuchScreen } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useToast } from "../../parts/shown/toasts.tsx";
import { useAction } from "../../parts/call/use-action.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { useLatest } from "../../parts/list/use-latest.tsx";
import { useDo } from "../../parts/page/use-do.ts";

const steps = [
  { seconds: 60, label: "+1 minute" },
  { seconds: 300, label: "+5 minutes" },
  { seconds: 1800, label: "+30 minutes" },
  { seconds: 7200, label: "+2 hours" },
  { seconds: 43_200, label: "+12 hours" },
  { seconds: 86_400, label: "+1 day" },
];

/** What only the sandbox has: a clock to move, money from nowhere, and the outside on a string. */
export function SandboxScreen() {
  const [what, setWhat] = useDo();
  const { environment } = useSession();
  if (environment === "production") {
    return <NoSuchScreen />;
  }
  return (
    <div className="plain-screen">
      <ScreenHeader title="Sandbox" about="A clock to move and an outside to direct. Production has none of it." />
      <Clock />
      <section className="block">
        <h2>Prices</h2>
        <p>What this account is shown of an instrument, from now on.</p>
        <ActionButton operationId="setSandboxPrice" onClick={() => setWhat("price")}>
          Set a price
        </ActionButton>
      </section>
      <section className="block">
        <h2>Outcomes</h2>
        <ul className="plain-list">
          <li>
            <ScreenLink to="/wallets">Fund a wallet</ScreenLink>: open it, then Fund.
          </li>
          <li>
            <ScreenLink to="/payments">Settle, fail or return a payment</ScreenLink>: open it, then Simulate the end.
          </li>
          <li>
            <ScreenLink to="/transfers">Complete or fail a transfer</ScreenLink>: open it, then Simulate the end.
          </li>
          <li>
            <ScreenLink to="/wallets">See a deposit come in</ScreenLink>: open a wallet of BTC, ETH or USDC, then
            Simulate a deposit.
          </li>
          <li>
            <ScreenLink to="/inbox">Approve as a simulated owner</ScreenLink>: open the approval, then Simulate an
            owner.
          </li>
          <li>
            <ScreenLink to="/inbox" search={{ queue: "kyc", status: "submitted" }}>
              End the checks of a verification
            </ScreenLink>
            : open it, then Simulate the checks.
          </li>
        </ul>
      </section>
      {what === "price" && <SetPrice onClose={() => setWhat(undefined)} />}
    </div>
  );
}

function Clock() {
  const toast = useToast();
  const clock = useCall({ operationId: "getSandboxClock" });
  const [fell, setFell] = useState<{ transitions: number; remaining: number; since: string } | null>(null);
  const before = clock.data?.data.now ?? "";
  const advance = useAction<"advanceSandboxClock">(({ data }) => {
    setFell({ ...data, since: before });
    toast(
      data.transitions === 0
        ? "The clock is moved; nothing fell due."
        : `The clock is moved; ${data.transitions} things fell due.`,
    );
  });
  if (clock.data === undefined) {
    return clock.isError ? (
      <Failure error={clock.error} retry={() => void clock.refetch()} />
    ) : (
      <LoadingRows count={2} />
    );
  }
  const { now, aheadSeconds } = clock.data.data;
  return (
    <section className="block">
      <h2>Clock</h2>
      <p className="clock-now">
        <Time at={now} seconds />{" "}
        <span className="faint">{aheadSeconds === 0 ? "as everywhere" : `${words(aheadSeconds)} ahead`}</span>
      </p>
      <div className="actions">
        {steps.map(({ seconds, label }) => (
          <ActionButton
            key={seconds}
            operationId="advanceSandboxClock"
            onClick={() =>
              !advance.isPending && advance.mutate({ operationId: "advanceSandboxClock", body: { seconds } })
            }
          >
            {label}
          </ActionButton>
        ))}
      </div>
      {fell && (
        <p className="note good" role="status">
          {fell.transitions} things fell due{fell.remaining > 0 && `; ${fell.remaining} more follow by themselves`}.{" "}
          <ScreenLink to="/events">Events</ScreenLink>
        </p>
      )}
      {fell && fell.transitions > 0 && <FellDue since={fell.since} />}
      {advance.error && <Failure error={advance.error} />}
      <AsCode call={{ operationId: "advanceSandboxClock", body: { seconds: 300 } }} />
    </section>
  );
}

/** The events from where the clock stood to where it stands: what was due in between, each at its own time. */
function FellDue({ since }: { since: string }) {
  const events = useLatest({ operationId: "listEvents", query: { since } }, 20);
  return (
    <>
      <FailedPart of={events} />
      <ul className="lines" aria-label="What fell due">
        {events.data?.data.map(({ id, type, created }) => (
          <li key={id}>
            <ScreenLink to="/events" open={id}>
              {type}
            </ScreenLink>
            <Time at={created} seconds />
          </li>
        ))}
      </ul>
      {events.more}
    </>
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
  return (
    <ActionDialog<"setSandboxPrice">
      title="Set a price"
      choices={[instruments]}
      fields={[
        {
          name: "symbol",
          label: "Instrument",
          kind: "select",
          choices: [
            { value: "", label: "Choose one" },
            ...(instruments.data?.data ?? []).map(({ symbol }) => ({ value: symbol, label: symbol })),
          ],
        },
        {
          name: "price",
          label: "Price",
          kind: "text",
          placeholder: "50000",
          hint: "Empty: as it was before somebody set one.",
        },
        {
          name: "halted",
          label: "Trading",
          kind: "select",
          choices: [
            { value: "no", label: "goes on" },
            { value: "yes", label: "is halted" },
          ],
        },
        {
          name: "stale",
          label: "Sources",
          kind: "select",
          choices: [
            { value: "no", label: "speak" },
            { value: "yes", label: "are silent" },
          ],
        },
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
