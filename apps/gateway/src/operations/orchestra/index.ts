import type { OperationsOf } from "../operation.ts";
import { createCounterparty } from "./create-counterparty.ts";
import { deleteCounterparty } from "./delete-counterparty.ts";
import { getCounterparty } from "./get-counterparty.ts";
import { listCounterparties } from "./list-counterparties.ts";

export const orchestraOperations = {
  createCounterparty,
  deleteCounterparty,
  getCounterparty,
  listCounterparties,
} satisfies OperationsOf<"orchestra">;
