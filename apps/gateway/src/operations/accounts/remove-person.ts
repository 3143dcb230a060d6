import type { OperationHandler } from "../operation.ts";
import { noSuchPerson } from "./no-such-person.ts";
import { presentPerson } from "@gateway/platform";

/** Answers the person as they were. A second time there is none to answer: 404. */
export const removePerson: OperationHandler<"removePerson"> = async ({ input, principal, deps }) => {
  const person = await deps.accounts.people.remove({ id: input.path.personId, accountId: principal.accountId });
  if (!person) {
    throw noSuchPerson();
  }
  return { status: 200, data: presentPerson(person) };
};
