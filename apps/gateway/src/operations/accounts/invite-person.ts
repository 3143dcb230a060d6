import { presentPerson } from "@gateway/platform/accounts";
import { pageForMail, refuseTooManyMails } from "../mailed-links.ts";
import { noSuchAccount, type OperationHandler } from "../operation.ts";

/** Invitations of an account in 24 hours: as many as the people that it may have. */
const mostOfAccount = 200;

/** No mail is sent without a person. The link is in the mail only, so its use proves the address. */
export const invitePerson: OperationHandler<"invitePerson"> = async ({ input, principal, deps }) => {
  const { email, role } = input.body;
  const { accountId } = principal;
  const page = pageForMail(deps.authUrl, { path: "/invitations/accept", action: "accept an invitation" });
  const person = await deps.accounts.people.invite({ accountId, email, role });
  await refuseTooManyMails(deps.dailyLimiter, { mails: "invitations", accountId, email, mostOfAccount });
  const account = await deps.accounts.get(accountId);
  if (!account) {
    throw noSuchAccount(principal);
  }
  const secret = await deps.auth.mailLinks.create({ purpose: "invitation", email, personId: person.id });
  const url = `${page}?token=${secret}`;
  await deps.mails.queue(email, { kind: "invitation", url, accountEmail: account.email, role });
  return { status: 201, data: presentPerson(person) };
};
