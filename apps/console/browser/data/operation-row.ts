import type { OperationTypes } from "gateway-api-client";

export type OperationId = keyof OperationTypes;

/** A row of the contract's table, cut to what the page shows and enforces. */
export type OperationRow = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
  readonly service: string;
  readonly permission: "read" | "write" | "admin";
  readonly summary: string;
  readonly takesKey: boolean;
  readonly needsPerson: boolean;
  /** How long ago the person may have signed in, in seconds; null: it does not matter. */
  readonly freshSignInSeconds: number | null;
  readonly sandboxOnly: boolean;
};
