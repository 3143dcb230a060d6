import type { OperationTypes } from "gateway-api-client";

export type OperationId = keyof OperationTypes;

/** A row of the contract's table, with the columns that the page shows or enforces. */
export type OperationRow = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
  readonly service: string;
  readonly permission: "read" | "write" | "admin";
  readonly summary: string;
  readonly takesKey: boolean;
  readonly needsPerson: boolean;
  /** The maximum age of the person's sign-in, in seconds. Null when it does not matter. */
  readonly freshSignInSeconds: number | null;
  readonly sandboxOnly: boolean;
};
