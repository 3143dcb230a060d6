import type { DataOf, ItemOf } from "../../data/calls.ts";
import { movingMs, netMs } from "../../data/pace.ts";
import { stateChoices, stateMachines, whyNotIn } from "../../data/state-machines.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { grouped, Money } from "../../parts/shown/money.tsx";
import { NameLink } from "../../parts/names/names.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty, FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useLatest } from "../../parts/list/use-latest.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { baseOf, quoteOf } from "./order-currencies.ts";
import { PlaceOrder } from "./place-order.tsx";
import { ReplaceOrder } from "./replace-order.tsx";

type Order = DataOf<"getOrder">;

export function OrdersScreen() {
  const [what, setWhat] = useDo();
  const create = (
    <ActionButton operationId="createOrder" kind="primary" onClick={() => setWhat("create")}>
      Place an order
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="Orders"
        operationId="listOrders"
        query={({ symbol, status, externalId, range }) => ({
          symbol,
          status,
          externalId,
          createdAfter: sinceOf(range),
        })}
        filters={[
          { name: "status", label: "State", choices: stateChoices("Order") },
          { name: "range", label: "Created", choices: ranges },
          { name: "symbol", label: "Symbol" },
          { name: "externalId", label: "External id" },
        ]}
        idOf={({ id }) => id}
        actions={create}
        columns={[
          { label: "Order", slot: "title", cell: (order) => <OrderWords order={order} /> },
          {
            label: "Price",
            slot: "meta",
            isNumber: true,
            cell: (order) => <OrderPrice order={order} />,
          },
          {
            label: "Filled",
            slot: "wide",
            isNumber: true,
            cell: ({ filledQuantity, symbol }) => <Money amount={filledQuantity} currency={baseOf(symbol)} />,
          },
          { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
        ]}
        empty={
          <Empty title="No orders yet" action={create}>
            An order buys or sells one currency for another, from one wallet into the other.
          </Empty>
        }
        pane={(id) => (
          <Detail
            call={{ operationId: "getOrder", path: { orderId: id } }}
            everyMs={({ status }) => (stateMachines.Order.final.includes(status) ? netMs : movingMs)}
          >
            {(order) => <OrderPane order={order} />}
          </Detail>
        )}
      />
      {what === "create" && <PlaceOrder onClose={() => setWhat(undefined)} />}
    </>
  );
}

/** Null: it can be replaced. */
function whyNotReplace({ status, type, replacedBy, cancelRequestedAt }: Order): string | null {
  if (type === "market") {
    return "A market order has no price to change.";
  }
  if (replacedBy !== null) {
    return "It has a replacement.";
  }
  return whyNotIn("Order", status, "replace") ?? (cancelRequestedAt === null ? null : "Its cancelation was asked for.");
}

function OrderWords({ order: { side, symbol, quantity, quoteAmount } }: { order: ItemOf<"listOrders"> }) {
  return (
    <>
      {side === "buy" ? "Buy" : "Sell"}{" "}
      {quantity === null ? (
        <>
          for <Money amount={quoteAmount ?? 0} currency={quoteOf(symbol)} />
        </>
      ) : (
        <Money amount={quantity} currency={baseOf(symbol)} />
      )}{" "}
      <span className="faint">{symbol}</span>
    </>
  );
}

/** What was paid or got on average, once something is filled; until then the limit. */
function OrderPrice({ order: { averagePrice, limitPrice, symbol } }: { order: ItemOf<"listOrders"> }) {
  if (averagePrice !== null) {
    return (
      <>
        <span className="faint">at</span> <Price price={averagePrice} symbol={symbol} />
      </>
    );
  }
  return limitPrice === null ? (
    <span className="faint">market</span>
  ) : (
    <>
      <span className="faint">limit</span> <Price price={limitPrice} symbol={symbol} />
    </>
  );
}

/** Of one unit of the base, in the quote. */
function Price({ price, symbol }: { price: string; symbol: string }) {
  return (
    <span className="number">
      {grouped(price)} <span className="currency">{quoteOf(symbol)}</span>
    </span>
  );
}

function OrderPane({ order }: { order: Order }) {
  const [what, setWhat] = useDo();
  const {
    id,
    symbol,
    status,
    type,
    timeInForce,
    expiresAt,
    limitPrice,
    filledQuantity,
    averagePrice,
    fee,
    held,
    side,
  } = order;
  const {
    baseWalletId,
    quoteWalletId,
    replaces,
    replacedBy,
    rejectionCode,
    cancelRequestedAt,
    closedAt,
    createdAt,
    externalId,
  } = order;
  return (
    <>
      <h2>
        <OrderWords order={order} />
      </h2>
      <div className="actions">
        <ActionButton
          operationId="cancelOrder"
          kind="danger"
          onClick={() => setWhat("cancel")}
          unavailable={
            whyNotIn("Order", status, "cancel") ??
            (cancelRequestedAt === null ? null : "Its cancelation was asked for.")
          }
        >
          Cancel
        </ActionButton>
        <ActionButton operationId="replaceOrder" onClick={() => setWhat("replace")} unavailable={whyNotReplace(order)}>
          Replace
        </ActionButton>
      </div>
      <StateMachineView machine="Order" state={status} />
      {rejectionCode !== null && (
        <p className="note bad">
          <code>{rejectionCode}</code>
        </p>
      )}
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          ["Type", `${type}, ${timeInForce.toUpperCase()}`],
          ["Limit", limitPrice && <Price key="limit" price={limitPrice} symbol={symbol} />],
          ["Filled", <Money key="filled" amount={filledQuantity} currency={baseOf(symbol)} />],
          ["Average price", averagePrice && <Price key="average" price={averagePrice} symbol={symbol} />],
          ["Fee", <Money key="fee" amount={fee} currency={quoteOf(symbol)} />],
          ["Held", <Money key="held" amount={held} currency={side === "buy" ? quoteOf(symbol) : baseOf(symbol)} />],
          [
            "Wallets",
            <span key="wallets">
              <NameLink noun="wallet" id={baseWalletId} />
              <br />
              <NameLink noun="wallet" id={quoteWalletId} />
            </span>,
          ],
          replaces === null ? null : ["Replaces", <IdLink key="replaces" to="/orders" open={replaces} />],
          replacedBy === null ? null : ["Replaced by", <IdLink key="replaced" to="/orders" open={replacedBy} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          expiresAt === null ? null : ["Expires", <Time key="expires" at={expiresAt} seconds />],
          cancelRequestedAt === null ? null : ["Cancel asked for", <Time key="asked" at={cancelRequestedAt} seconds />],
          closedAt === null ? null : ["Closed", <Time key="closed" at={closedAt} seconds />],
        ]}
      />
      <Fills orderId={id} symbol={symbol} />
      {what === "replace" && <ReplaceOrder order={order} onClose={() => setWhat(undefined)} />}
      {what === "cancel" && (
        <ActionDialog<"cancelOrder">
          title="Cancel the order"
          submit="Cancel order"
          isDangerous
          name={id}
          callOf={() => ({ operationId: "cancelOrder", path: { orderId: id } })}
          done="The venue is asked to cancel it."
          onClose={() => setWhat(undefined)}
        >
          What is filled stays filled. Until the venue answers, more of it may be.
        </ActionDialog>
      )}
    </>
  );
}

function Fills({ orderId, symbol }: { orderId: string; symbol: string }) {
  const fills = useLatest({ operationId: "listFills", query: { orderId } }, 20);
  const { data } = fills;
  return (
    <section className="below">
      <h3>Fills</h3>
      <FailedPart of={fills} />
      {data?.data.length === 0 && <p className="faint">None yet.</p>}
      <ul className="lines">
        {data?.data.map(({ id, quantity, price, executedAt, liquidity }) => (
          <li key={id}>
            <Money amount={quantity} currency={baseOf(symbol)} />
            <span className="faint">
              <Time at={executedAt} seconds /> · {liquidity}
            </span>
            <span className="number">at {grouped(price)}</span>
          </li>
        ))}
      </ul>
      {fills.more}
    </section>
  );
}
