import type { components } from "./generated/types.ts";

export const httpMethods = ["get", "post", "put", "patch", "delete"] as const;

/** The document's rules for an operation, as data that the pipeline enforces. */
export type OperationPolicy = {
  readonly operationId: string;
  readonly method: (typeof httpMethods)[number];
  /** The whole path with its parameters in braces, as in the document. */
  readonly path: string;
  /** The service that owns the path: x-service. */
  readonly service: string;
  /** Whether production leaves the path out: x-sandbox. */
  readonly sandboxOnly: boolean;
  /** The least permission that the caller's credential needs. */
  readonly permission: components["schemas"]["Permission"];
  /** The one success status. */
  readonly success: 200 | 201;
  readonly hasBody: boolean;
  /** Whether the operation takes the header Idempotency-Key. */
  readonly idempotencyKey: boolean;
  /** Whether the operation is refused with 503 while the shared rate limit store is down: x-limit-store. */
  readonly limitStoreRequired: boolean;
  /** Whether only people who are signed in at the console may call it: x-person. */
  readonly personRequired: boolean;
  /** The maximum age of that person's sign-in; null when it does not matter: x-fresh-sign-in. */
  readonly freshSignInSeconds: number | null;
  /** The event types that the operation causes: x-emits. */
  readonly emits: readonly components["schemas"]["EventType"][];
  /** The codes of the operation's refusals: x-problems. */
  readonly problems: readonly components["schemas"]["ErrorCode"][];
  /** Query parameters with a default: the validator fills them in, so an operation always finds them. */
  readonly queryDefaults: readonly string[];
  /** Fields of the body with a default, filled in likewise. */
  readonly bodyDefaults: readonly string[];
};
