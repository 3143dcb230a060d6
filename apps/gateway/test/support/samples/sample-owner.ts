import type { OperationPolicy } from "@gateway/contract";
import { randomBytes } from "node:crypto";
import type { TestGateway } from "../test-gateway.ts";

/** Whom a sample is made for, and the thing of theirs that it is about, when there is one already. */
export type Owner = Pick<TestGateway, "platform"> & {
  accountId: string;
  thing?: { id: string } | null;
  /** To make somebody owner since long ago, without whom nothing waits for an approval in production. */
  database?: TestGateway["database"];
};

/** By the prefix of its id, how each thing is made that a path or a body names, the `nth` of its kind there. */
export type Makers = Readonly<Record<string, (owner: Owner, nth: number) => Promise<{ id: string }>>>;

/** What a service adds to the samples. Only a new noun needs a line. */
export type ServiceSamples = {
  makers: Makers;
  /** For operations of things that are in another state than new ones: how those are made. */
  makersFor?: Readonly<Record<string, Makers>>;
  /**
   * Before a sample of an operation is made: an account has a limited number of some things, and the tests need many.
   */
  makeRoom?(operation: OperationPolicy, owner: Owner): Promise<void>;
};

/** An account invites each address once. */
export function freshAddress(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

/**
 * The ids of what may go when there is no room for five more. Ids sort by time: a test's credentials hang on the
 * oldest, and the newest are still in use.
 */
export function spareOf(items: readonly { id: string }[], max: number): string[] {
  const ids = items.map(({ id }) => id).toSorted();
  return ids.length > max - 5 ? ids.slice(2, -5) : [];
}
