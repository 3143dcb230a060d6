import type { RuleName } from "./rules.ts";

export type ChangeLocation = {
  /** The file of the document: `openapi.yaml`. */
  document: string;
  kind: "operation" | "event" | "document";
  /** The operationId, the type of the event, or the file of the document. */
  name: string;
  /** `GET /api/v1/wallets`; empty for what is not an operation. */
  address: string;
  /** The file of `openapi/`, such as `paths/wallets.yaml`, or null. Not part of the change. */
  file?: string | null;
  /** Where in it: `response 200, data[].balance`; empty for the whole of it. */
  at: string;
};

export type Change = {
  rule: RuleName;
  /** What is changed, by its name in the base: `Wallet.balance`. The same thing felt in many places is one change. */
  anchor: string;
  /** Which of several at the same anchor: a value of an enum, a limit, `read>write`. */
  value?: string;
  before?: string;
  after?: string;
  place: ChangeLocation;
};
