import type { OperationHandler } from "../operation.ts";
import { noSuchPerson } from "./no-such-person.ts";
import { presentPerson } from "@gateway/platform";

export const getPerson: OperationHandler<"getPerson"> = async ({ input, principal, deps }) => {
  const person = await deps.accounts.people.get({ id: input.path.personId, accountId: principal.accountId });
  if (!person) {
    throw noSuchPerson();
  }
  return { status: 200, data: presentPerson(person) };
};
