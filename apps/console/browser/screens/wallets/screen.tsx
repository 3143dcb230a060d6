import type { DataOf } from "../../data/calls.ts";
import { stateChoices, whyNotIn } from "../../data/state-machines.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty, FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useLatest } from "../../parts/list/use-latest.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { Deposits } from "./deposits.tsx";
import {
  CloseWallet,
  CreateWallet,
  currencies,
  FreezeWallet,
  FundWallet,
  RenameWallet,
  UnfreezeWallet,
} from "./dialogs.tsx";

type Wallet = DataOf<"getWallet">;

export function WalletsScreen() {
  const [what, setWhat] = useDo();
  const create = (
    <ActionButton operationId="createWallet" kind="primary" onClick={() => setWhat("create")}>
      Create wallet
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="Wallets"
        operationId="listWallets"
        query={({ currency, status, externalId, range }) => ({
          currency,
          status,
          externalId,
          createdAfter: sinceOf(range),
        })}
        filters={[
          { name: "currency", label: "Currency", choices: currencies },
          { name: "status", label: "State", choices: stateChoices("Wallet") },
          { name: "range", label: "Created", choices: ranges },
          { name: "externalId", label: "External id" },
        ]}
        idOf={({ id }) => id}
        actions={create}
        columns={[
          { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
          {
            label: "Available",
            slot: "end",
            isNumber: true,
            cell: ({ balance, currency }) => <Money amount={balance.available} currency={currency} />,
          },
          {
            label: "Pending",
            slot: "wide",
            isNumber: true,
            cell: ({ balance, currency }) =>
              balance.pending === 0 ? "" : <Money amount={balance.pending} currency={currency} />,
          },
          {
            label: "Held",
            slot: "wide",
            isNumber: true,
            cell: ({ balance, currency }) =>
              balance.held === 0 ? "" : <Money amount={balance.held} currency={currency} />,
          },
          { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
        ]}
        empty={
          <Empty title="No wallets yet" action={create}>
            A wallet holds money in one currency, and every movement of it is in the ledger.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getWallet", path: { walletId: id } }}>
            {(wallet) => <WalletPane wallet={wallet} what={what} setWhat={setWhat} />}
          </Detail>
        )}
      />
      {what === "create" && <CreateWallet onClose={() => setWhat(undefined)} />}
    </>
  );
}

type PaneOptions = { wallet: Wallet; what: string | undefined; setWhat(what: string | undefined): void };

function WalletPane({ wallet, what, setWhat }: PaneOptions) {
  const { environment } = useSession();
  const { id, name, currency, status, balance, externalId, metadata, createdAt } = wallet;
  const options = { wallet, onClose: () => setWhat(undefined) };
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <div className="actions">
        {environment === "sandbox" && (
          <ActionButton
            operationId="fundWallet"
            kind="primary"
            onClick={() => setWhat("fund")}
            unavailable={status === "closed" ? "It is closed." : null}
          >
            Fund
          </ActionButton>
        )}
        <ActionButton
          operationId="updateWallet"
          onClick={() => setWhat("rename")}
          unavailable={status === "closed" ? "It is closed." : null}
        >
          Rename
        </ActionButton>
        {status === "frozen" ? (
          <ActionButton operationId="unfreezeWallet" onClick={() => setWhat("unfreeze")}>
            Unfreeze
          </ActionButton>
        ) : (
          <ActionButton
            operationId="freezeWallet"
            onClick={() => setWhat("freeze")}
            unavailable={whyNotIn("Wallet", status, "freeze")}
          >
            Freeze
          </ActionButton>
        )}
        <ActionButton
          operationId="closeWallet"
          kind="danger"
          onClick={() => setWhat("close")}
          unavailable={whyNotIn("Wallet", status, "close")}
        >
          Close
        </ActionButton>
      </div>
      <dl className="figures">
        <div>
          <dt>Available</dt>
          <dd>
            <Money amount={balance.available} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>Pending</dt>
          <dd>
            <Money amount={balance.pending} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>Held</dt>
          <dd>
            <Money amount={balance.held} currency={currency} />
          </dd>
        </div>
      </dl>
      <StateMachineView machine="Wallet" state={status} />
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label="Metadata" />}
      <Deposits wallet={wallet} what={what} setWhat={setWhat} />
      <Entries walletId={id} currency={currency} />
      {what === "fund" && <FundWallet {...options} />}
      {what === "rename" && <RenameWallet {...options} />}
      {what === "freeze" && <FreezeWallet {...options} />}
      {what === "unfreeze" && <UnfreezeWallet {...options} />}
      {what === "close" && <CloseWallet {...options} />}
    </>
  );
}

function Entries({ walletId, currency }: { walletId: string; currency: Wallet["currency"] }) {
  const entries = useLatest({ operationId: "listLedgerEntries", query: { walletId } }, 10);
  const { data } = entries;
  return (
    <section className="below">
      <h3>Latest entries</h3>
      <FailedPart of={entries} />
      {data?.data.length === 0 && <p className="faint">Nothing moved yet.</p>}
      <ul className="lines">
        {data?.data.map(({ ledgerTransactionId, ledgerAccountId, kind, direction, amount, createdAt }) => (
          <li key={`${ledgerTransactionId} ${ledgerAccountId} ${direction}`}>
            <ScreenLink to="/ledger" search={{ view: "transactions" }} open={ledgerTransactionId}>
              {kind}
            </ScreenLink>
            <span className="faint">
              <Time at={createdAt} seconds /> · {direction}
            </span>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
      {entries.more}
    </section>
  );
}
