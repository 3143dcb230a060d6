import type { OperationHandler } from "../operation.ts";
import { noSuchPerson } from "./no-such-person.ts";
import { presentPerson } from "@gateway/platform";

export const updatePerson: OperationHandler<"updatePerson"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.personId, accountId: principal.accountId };
  const person = await deps.accounts.people.changeRole({ ...own, role: input.body.role });
  if (!person) {
    throw noSuchPerson();
  }
  return { status: 200, data: presentPerson(person) };
};
