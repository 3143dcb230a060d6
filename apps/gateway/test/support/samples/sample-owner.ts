import type { OperationPolicy } from "@gateway/contract";
import { randomBytes } from "node:crypto";
import type { TestGateway } from "../test-gateway.ts";

/** The account that a sample is made for, and the resource that it is about, if that exists already. */
export type Owner = Pick<TestGateway, "platform"> & {
  accountId: string;
  thing?: { id: string } | null;
  /** Makes an owner of long ago, without whom no request waits for an approval in production. */
  database?: TestGateway["database"];
};

/**
 * Makers by the prefix of an id. Each creates the resource that a path or a body names, the `nth` of its kind there.
 */
export type Makers = Readonly<Record<string, (owner: Owner, nth: number) => Promise<{ id: string }>>>;

/** A service's part of the samples. Only a new noun needs a line. */
export type ServiceSamples = {
  makers: Makers;
  /** Makers for operations whose resources must be in another state than new ones. */
  makersFor?: Readonly<Record<string, Makers>>;
  /**
   * Called before a sample of an operation is made: an account has a limited number of some resources, and the tests
   * need many.
   */
  makeRoom?(operation: OperationPolicy, owner: Owner): Promise<void>;
};

/** A new address each time, because an account invites each address once. */
export function freshAddress(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

/**
 * Ids of resources that may be deleted when there is no room for five more. Ids sort by time: a test's credentials
 * depend on the oldest resources, and the newest are still in use.
 */
export function spareOf(items: readonly { id: string }[], max: number): string[] {
  const ids = items.map(({ id }) => id).toSorted();
  return ids.length > max - 5 ? ids.slice(2, -5) : [];
}
