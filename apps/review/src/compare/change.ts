import type { RuleName } from "./rules.ts";

export type ChangeLocation = {
  /** The file of the document: `openapi.yaml`. */
  document: string;
  kind: "operation" | "event" | "document";
  /** The operationId, the type of the event, or the file of the document. */
  name: string;
  /** `GET /api/v1/wallets`, or empty when the place is not an operation. */
  address: string;
  /** The file of `openapi/`, such as `paths/wallets.yaml`, or null. Not part of the change. */
  file?: string | null;
  /** The position in it: `response 200, data[].balance`. Empty when all of it is meant. */
  at: string;
};

export type Change = {
  rule: RuleName;
  /** The base's name for the changed part: `Wallet.balance`. A change that shows in many places is one change. */
  anchor: string;
  /** Distinguishes changes with the same anchor: a value of an enum, a limit, `read>write`. */
  value?: string;
  before?: string;
  after?: string;
  place: ChangeLocation;
};
