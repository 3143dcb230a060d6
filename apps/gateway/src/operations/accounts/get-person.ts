import type { OperationHandler } from "../operation.ts";
import { noSuchPerson } from "./no-such-person.ts";
import { presentPerson } from "./present-person.ts";

export const getPerson: OperationHandler<"getPerson"> = async ({ input, principal, deps }) => {
  const person = await deps.people.get({ id: input.path.personId, accountId: principal.accountId });
  if (!person) {
    throw noSuchPerson();
  }
  return { status: 200, data: presentPerson(person) };
};
