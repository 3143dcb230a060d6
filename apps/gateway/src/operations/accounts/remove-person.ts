import type { OperationHandler } from "../operation.ts";
import { found } from "../no-such.ts";
import { presentPerson } from "@gateway/platform/accounts";
import { endCreated } from "@gateway/platform/acts/end-created";
import { notifyOfOwner } from "@gateway/platform/acts/notify-owners";

/** Answers the person as they were, and what they made. A second time there is none to answer: 404. */
export const removePerson: OperationHandler<"removePerson"> = async (call) => {
  const { input, principal, deps } = call;
  const { accountId } = principal;
  const own = { id: input.path.personId, accountId };
  const person = found("person", await deps.accounts.people.hold(own));
  if (person.role === "owner" && person.joinedAt !== null) {
    await notifyOfOwner(deps, call, { email: person.email, change: "ended" });
  }
  const { revokeCreated: isRevoked } = input.query;
  // Before the grants of the person end: who deletes an application holds it, and then its grants.
  const created = await endCreated(deps, { accountId, personId: own.id, isRevoked, nowMs: deps.clock.now() });
  await deps.accounts.people.remove(own);
  return { status: 200, data: { ...presentPerson(person), created } };
};
