import type { DataOf, ItemOf } from "../../data/calls.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { amountOf } from "../../data/amount.ts";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useLatest } from "../../parts/list/use-latest.tsx";
import { useUrlState } from "../../parts/page/use-url-state.ts";

type Wallet = DataOf<"getWallet">;
type Options = { wallet: Wallet; what: string | undefined; setWhat(what: string | undefined): void };

/** Where what is sent to the wallet arrives, and what has. Only currencies with a network have it. */
export function Deposits(options: Options) {
  const networks = useCall({ operationId: "listNetworks" });
  const isOfOne = networks.data?.data.some(({ currency }) => currency === options.wallet.currency);
  return isOfOne ? <DepositsOf {...options} /> : <FailedPart of={networks} />;
}

function DepositsOf({ wallet: { id, currency, status }, what, setWhat }: Options) {
  const { environment } = useSession();
  const addresses = useLatest({ operationId: "listDepositAddresses", query: { walletId: id } }, 10);
  const close = (): void => setWhat(undefined);
  const unavailable = status === "active" ? null : `It is ${status}.`;
  return (
    <section className="below">
      <h3>Deposits</h3>
      <div className="actions">
        <ActionButton
          operationId="createDepositAddress"
          small
          onClick={() => setWhat("address")}
          unavailable={unavailable}
        >
          New address
        </ActionButton>
        {environment === "sandbox" && (
          <ActionButton
            operationId="simulateDeposit"
            small
            onClick={() => setWhat("deposit")}
            unavailable={unavailable}
          >
            Simulate a deposit
          </ActionButton>
        )}
      </div>
      <FailedPart of={addresses} />
      <ul className="lines" aria-label="Deposit addresses">
        {addresses.data?.data.map(({ id: addressId, address, network }) => (
          <li key={addressId}>
            <CopyableId id={address} />
            <span className="faint">{network}</span>
          </li>
        ))}
      </ul>
      {addresses.more}
      <DepositLines walletId={id} />
      {what === "address" && (
        <ActionDialog<"createDepositAddress">
          title="Get a deposit address"
          submit="Get the address"
          callOf={() => ({ operationId: "createDepositAddress", body: { walletId: id } })}
          done="The address is there."
          onClose={close}
        >
          What is sent to it in {currency} comes into this wallet, as often as somebody sends.
        </ActionDialog>
      )}
      {what === "deposit" && (
        <ActionDialog<"simulateDeposit">
          title="Simulate a deposit"
          fields={[{ name: "amount", label: `Amount in ${currency}`, kind: "text", placeholder: "0.5" }]}
          submit="Simulate"
          callOf={({ amount }) => ({
            operationId: "simulateDeposit",
            body: { walletId: id, amount: amountOf(amount, currency) },
          })}
          done="Its network has seen it."
          onClose={close}
        />
      )}
    </section>
  );
}

function DepositLines({ walletId }: { walletId: string }) {
  const [{ deposit: openId }, setState] = useUrlState();
  const deposits = useLatest({ operationId: "listDeposits", query: { walletId } }, 10);
  const setOpen = (id: string | undefined): void => setState({ deposit: id }, { replace: true });
  const open = deposits.data?.data.find(({ id }) => id === openId);
  return (
    <>
      <FailedPart of={deposits} />
      <ul className="lines" aria-label="Deposits">
        {deposits.data?.data.map((deposit) => (
          <DepositLine key={deposit.id} deposit={deposit} end={() => setOpen(deposit.id)} />
        ))}
      </ul>
      {deposits.more}
      {open && <EndDeposit deposit={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function DepositLine({ deposit, end }: { deposit: ItemOf<"listDeposits">; end(): void }) {
  const { environment } = useSession();
  const { amount, currency, status, confirmations, requiredConfirmations, createdAt } = deposit;
  return (
    <li>
      <Money amount={amount} currency={currency} />
      <span className="faint">
        <Time at={createdAt} /> · {confirmations} of {requiredConfirmations} confirmations
      </span>
      <Badge state={status} />
      {environment === "sandbox" && (
        <ActionButton
          operationId="simulateDepositOutcome"
          small
          onClick={end}
          unavailable={whyNotIn("CustodyDeposit", status, "confirm")}
        >
          Simulate the end
        </ActionButton>
      )}
    </li>
  );
}

function EndDeposit({ deposit: { id }, onClose }: { deposit: ItemOf<"listDeposits">; onClose(): void }) {
  return (
    <ActionDialog<"simulateDepositOutcome">
      title="Simulate the end of the deposit"
      fields={[
        {
          name: "outcome",
          label: "Its network",
          kind: "radio",
          choices: [
            { value: "confirmed", label: "confirms it" },
            { value: "orphaned", label: "drops it" },
          ],
        },
      ]}
      initial={{ outcome: "confirmed" }}
      submit="Simulate"
      callOf={({ outcome }) => ({
        operationId: "simulateDepositOutcome",
        path: { depositId: id },
        body: { outcome },
      })}
      done="Its network has told."
      onClose={onClose}
    />
  );
}
