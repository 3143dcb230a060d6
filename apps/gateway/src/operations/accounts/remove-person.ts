import { presentPerson } from "@gateway/platform/accounts";
import { endCreated } from "@gateway/platform/acts/end-created";
import { notifyOfOwner } from "@gateway/platform/acts/notify-owners";
import { found, type OperationHandler } from "../operation.ts";

/** Returns the person as they were, and the resources that they made. A second call finds no person: 404. */
export const removePerson: OperationHandler<"removePerson"> = async (call) => {
  const { input, principal, deps } = call;
  const { accountId } = principal;
  const own = { id: input.path.personId, accountId };
  const person = found("person", await deps.accounts.people.hold(own));
  if (person.role === "owner" && person.joinedAt !== null) {
    await notifyOfOwner(deps, call, { email: person.email, change: "ended" });
  }
  const { revokeCreated: isRevoked } = input.query;
  // Ends these before the person's grants: the deletion of an application locks the application, and then its grants.
  const created = await endCreated(deps, { accountId, personId: own.id, isRevoked, nowMs: deps.clock.now() });
  await deps.accounts.people.remove(own);
  return { status: 200, data: { ...presentPerson(person), created } };
};
