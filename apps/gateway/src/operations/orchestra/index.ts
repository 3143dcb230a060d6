import type { OperationsOf } from "../operation.ts";
import { cancelPayment } from "./cancel-payment.ts";
import { createCounterparty } from "./create-counterparty.ts";
import { createPayment } from "./create-payment.ts";
import { deleteCounterparty } from "./delete-counterparty.ts";
import { getCounterparty } from "./get-counterparty.ts";
import { getPayment } from "./get-payment.ts";
import { listCounterparties } from "./list-counterparties.ts";
import { listPayments } from "./list-payments.ts";
import { simulatePayment } from "./simulate-payment.ts";

export const orchestraOperations = {
  cancelPayment,
  createCounterparty,
  createPayment,
  deleteCounterparty,
  getCounterparty,
  getPayment,
  listCounterparties,
  listPayments,
  simulatePayment,
} satisfies OperationsOf<"orchestra">;
