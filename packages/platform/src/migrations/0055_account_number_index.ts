import { addIndexes } from "@gateway/database";

/** For the counterparties of an account that share an account number: their last four characters narrow them down (ADR 76). */
export const accountNumberIndex = addIndexes([
  { name: "counterparties_by_account_number", on: "counterparties (account_number_last4, account_id)" },
]);
