import type { OperationId, OperationInput, OperationResult } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import type { Services } from "@gateway/platform";
import type { Principal } from "../pipeline/call.ts";

/** What every operation may use. In an operation that changes something, all services write in its one transaction. */
export type OperationDeps = Services & {
  clock: Clock;
  livemode: boolean;
  /** The identity provider's address without a slash at the end; null in a deployment that has none. */
  authUrl: string | null;
};

export type OperationCall<Id extends OperationId> = {
  /** Path, query and body as the document describes them, validated, defaults filled in. */
  input: OperationInput<Id>;
  principal: Principal;
  deps: OperationDeps;
};

/** One operation of the document. Its types come from there; a refusal is thrown as a Problem. */
export type OperationHandler<Id extends OperationId> = (call: OperationCall<Id>) => Promise<OperationResult<Id>>;

export type OperationTable = { readonly [Id in OperationId]: OperationHandler<Id> };
