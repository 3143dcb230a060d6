import type { ItemOf } from "../../data/calls.ts";
import { Badge } from "./badge.tsx";

type Delivery = Pick<ItemOf<"listDeliveries">, "status" | "lastAttempt">;

/** The state of a delivery. One that was refused has another colour than one that was not tried yet. */
export function DeliveryState({ of: { status, lastAttempt } }: { of: Delivery }) {
  const isRefused = lastAttempt !== null && lastAttempt.outcome !== "delivered";
  return <Badge state={status} tone={status === "pending" && isRefused ? "wait" : undefined} />;
}

export function LastAttempt({ of: { lastAttempt } }: { of: Delivery }) {
  if (lastAttempt === null) {
    return null;
  }
  const { outcome, httpStatus } = lastAttempt;
  return (
    <span className={outcome === "delivered" ? "number" : "number refused"}>
      {httpStatus ?? outcome.replaceAll("_", " ")}
    </span>
  );
}
