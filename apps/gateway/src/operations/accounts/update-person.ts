import { presentPerson } from "@gateway/platform/accounts";
import { notifyOfOwner } from "@gateway/platform/acts/notify-owners";
import { noSuch, type OperationHandler } from "../operation.ts";

/** Notifies all previous and new owners of a change of owners. An invited person is not an owner yet. */
export const updatePerson: OperationHandler<"updatePerson"> = async (call) => {
  const { input, principal, deps } = call;
  const own = { id: input.path.personId, accountId: principal.accountId };
  const before = await deps.accounts.people.hold(own);
  if (before?.role === "owner" && before.joinedAt !== null && input.body.role !== "owner") {
    await notifyOfOwner(deps, call, { email: before.email, change: "ended" });
  }
  const person = await deps.accounts.people.changeRole({ ...own, role: input.body.role });
  if (!before || !person) {
    throw noSuch("person");
  }
  if (before.role !== "owner" && person.role === "owner" && person.joinedAt !== null) {
    await notifyOfOwner(deps, call, { email: person.email, change: "made" });
  }
  return { status: 200, data: presentPerson(person) };
};
