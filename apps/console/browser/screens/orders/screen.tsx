import type { DataOf, ItemOf } from "../../data/calls.ts";
import { movingMs, netMs } from "../../data/pace.ts";
import { stateMachines, whyNotIn } from "../../data/state-machines.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { Below, Lines, useLatest } from "../../parts/list/lines.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { NameLink } from "../../parts/names/names.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { Badge, CopyableId, IdLink, grouped, Money, Time, Facts } from "../../parts/shown/values.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { RefusalNote } from "../../parts/shown/states.tsx";
import { baseOf, quoteOf, PlaceOrder, replaceOrder } from "./order-acts.tsx";

type Order = DataOf<"getOrder">;

export function OrdersScreen() {
  return (
    <ListScreen
      title="Orders"
      operationId="listOrders"
      filters={[stateFilter("Order"), rangeFilter(), { name: "symbol", label: "Symbol" }, externalIdFilter]}
      create={{
        operationId: "createOrder",
        label: "Place an order",
        dialog: (close) => <PlaceOrder onClose={close} />,
      }}
      columns={[
        { label: "Order", slot: "title", cell: (order) => <OrderWords order={order} /> },
        { label: "Price", slot: "meta", isNumber: true, cell: (order) => <OrderPrice order={order} /> },
        {
          ...{ label: "Filled", slot: "wide", isNumber: true },
          cell: ({ filledQuantity, symbol }) => <Money amount={filledQuantity} currency={baseOf(symbol)} />,
        },
        { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={{
        title: "No orders yet",
        text: "An order buys or sells one currency for another, from one wallet into the other.",
      }}
      pane={detailOf("getOrder", OrderPane, ({ status }) =>
        stateMachines.Order.final.includes(status) ? netMs : movingMs,
      )}
    />
  );
}

function whyNotReplace({ status, type, replacedBy, cancelRequestedAt }: Order): string | null {
  if (type === "market") {
    return "A market order has no price to change.";
  }
  if (replacedBy !== null) {
    return "It has a replacement.";
  }
  return whyNotIn("Order", status, "replace") ?? whyNotCancel({ cancelRequestedAt });
}

function whyNotCancel({ cancelRequestedAt }: Pick<Order, "cancelRequestedAt">): string | null {
  return cancelRequestedAt === null ? null : "Its cancelation was asked for.";
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

/** The average price once something is filled; until then the limit. */
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

function Price({ price, symbol }: { price: string; symbol: string }) {
  return (
    <span className="number">
      {grouped(price)} <span className="currency">{quoteOf(symbol)}</span>
    </span>
  );
}

function OrderPane({ of: order }: { of: Order }) {
  const [, setState] = useUrlState();
  const { id, symbol, status, side, filledQuantity, averagePrice, fee, held, limitPrice } = order;
  const { replaces, replacedBy, createdAt, expiresAt, cancelRequestedAt, closedAt } = order;
  const [base, quote] = [baseOf(symbol), quoteOf(symbol)];
  return (
    <>
      <h2>
        <OrderWords order={order} />
      </h2>
      <Actions
        of={[
          act("cancelOrder", {
            ...{ do: "cancel", label: "Cancel", kind: "danger", id, name: id },
            unavailable: whyNotIn("Order", status, "cancel") ?? whyNotCancel(order),
            ...{ title: "Cancel the order", submit: "Cancel order", done: "The venue is asked to cancel it." },
            text: "Filled parts stay filled. Until the venue responds, more of it may be filled.",
          }),
          replaceOrder(order, {
            unavailable: whyNotReplace(order),
            onDone: ({ id: next }) => setState({ do: undefined, open: next }),
          }),
        ]}
      />
      <StateMachineView machine="Order" state={status} />
      <RefusalNote code={order.rejectionCode} />
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          ["Type", `${order.type}, ${order.timeInForce.toUpperCase()}`],
          ["Limit", limitPrice && <Price key="limit" price={limitPrice} symbol={symbol} />],
          ["Filled", <Money key="filled" amount={filledQuantity} currency={base} />],
          ["Average price", averagePrice && <Price key="average" price={averagePrice} symbol={symbol} />],
          ["Fee", <Money key="fee" amount={fee} currency={quote} />],
          ["Held", <Money key="held" amount={held} currency={side === "buy" ? quote : base} />],
          [
            "Wallets",
            <span key="wallets">
              <NameLink noun="wallet" id={order.baseWalletId} />
              <br />
              <NameLink noun="wallet" id={order.quoteWalletId} />
            </span>,
          ],
          replaces && ["Replaces", <IdLink key="replaces" to="/orders" open={replaces} />],
          replacedBy && ["Replaced by", <IdLink key="replaced" to="/orders" open={replacedBy} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", order.externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          expiresAt && ["Expires", <Time key="expires" at={expiresAt} seconds />],
          cancelRequestedAt && ["Cancel asked for", <Time key="asked" at={cancelRequestedAt} seconds />],
          closedAt && ["Closed", <Time key="closed" at={closedAt} seconds />],
        ]}
      />
      <Fills orderId={id} symbol={symbol} />
    </>
  );
}

function Fills({ orderId, symbol }: { orderId: string; symbol: string }) {
  const fills = useLatest({ operationId: "listFills", query: { orderId } }, 20);
  return (
    <Below title="Fills">
      <Lines of={fills} empty="None yet.">
        {({ id, quantity, price, executedAt, liquidity }) => (
          <li key={id}>
            <Money amount={quantity} currency={baseOf(symbol)} />
            <span className="faint">
              <Time at={executedAt} seconds /> · {liquidity}
            </span>
            <span className="number">at {grouped(price)}</span>
          </li>
        )}
      </Lines>
    </Below>
  );
}
