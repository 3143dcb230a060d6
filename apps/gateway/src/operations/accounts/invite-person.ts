import { Problem } from "@gateway/contract";
import type { OperationHandler } from "../operation.ts";
import { presentPerson } from "@gateway/platform";

/**
 * The person, the link and the mail come to be in one transaction: no mail without a person whom it invites. The link is in the
 * mail only, for whoever holds it has proved that the address is theirs.
 */
export const invitePerson: OperationHandler<"invitePerson"> = async ({ input, principal, deps }) => {
  const { email, role } = input.body;
  const { accountId } = principal;
  const page = invitationPage(deps.authUrl);
  const person = await deps.accounts.people.invite({ accountId, email, role });
  const account = await deps.accounts.get(accountId);
  if (!account) {
    throw new Error(`The account ${accountId} of a valid credential is gone.`);
  }
  const secret = await deps.auth.mailLinks.create({ purpose: "invitation", email, personId: person.id });
  const url = `${page}?token=${secret}`;
  await deps.mails.queue(email, { kind: "invitation", url, accountEmail: account.email, role });
  return { status: 201, data: presentPerson(person) };
};

/** Nothing but a new configuration helps, so the caller is told to wait for long. */
const retryAfterSeconds = 3600;

function invitationPage(authUrl: string | null): string {
  if (authUrl === null) {
    throw new Problem(
      "UNAVAILABLE",
      "This deployment has no identity provider, so nobody can take an invitation. Ask its operator to set AUTH_URL.",
      { headers: { "Retry-After": String(retryAfterSeconds) } },
    );
  }
  return `${authUrl}/invitations/accept`;
}
