import type { VenueFact } from "@gateway/ports";
import type { Money, Order } from "../model/state.ts";
import type { Books } from "../books.ts";
import { itemAt } from "../model/money.ts";
import type { End } from "../model/venue.ts";

export type OfOrder = { order: number };

export type Ending = OfOrder & { end: End; filled: number };

/** Hands a fact to the inbox, as an adapter does. Resolves to the verdict. */
export function tell(
  { platform, accountId }: Books,
  fact: VenueFact,
  factId: string = crypto.randomUUID(),
): Promise<string> {
  return platform.inAccount(accountId, ({ work }) => work.inbox.receive({ port: "venue", factId, accountId, fact }));
}

export function tellEnded(books: Books, { order, end: type, filled }: Ending): Promise<string> {
  return tell(books, { type, orderId: orderIdOf(books, order), filledQuantityMinor: filled });
}

export function orderIdOf({ orders }: Books, index: number): string {
  return itemAt(orders, index).id;
}

/** A venue replaces an order only after it was asked to. Without a replacement the fact is a mismatch. */
export function mayEnd({ orders }: Money, { replacement }: Order, end: End): boolean {
  return end !== "replaced" || replacement === null || itemAt(orders, replacement).isHandedOver;
}

/** Facts of an order that waits for another are parked, so the steps do not tell them. */
export function isTold({ waitsFor }: Order): boolean {
  return waitsFor === null;
}
