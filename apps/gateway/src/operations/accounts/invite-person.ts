import { Problem } from "@gateway/contract";
import { retryAfterSecondsOf } from "@gateway/limits";
import { digestEmail, presentPerson } from "@gateway/platform";
import { noSuchAccount } from "./no-such-account.ts";
import type { OperationDeps, OperationHandler } from "../operation.ts";

/**
 * The person, the link and the mail come to be in one transaction: no mail without a person whom it invites. The link is in the
 * mail only, for whoever holds it has proved that the address is theirs.
 */
export const invitePerson: OperationHandler<"invitePerson"> = async ({ input, principal, deps }) => {
  const { email, role } = input.body;
  const { accountId } = principal;
  const page = invitationPage(deps.authUrl);
  const person = await deps.accounts.people.invite({ accountId, email, role });
  await refuseTooMany(deps.dailyLimiter, { accountId, email });
  const account = await deps.accounts.get(accountId);
  if (!account) {
    throw noSuchAccount(principal);
  }
  const secret = await deps.auth.mailLinks.create({ purpose: "invitation", email, personId: person.id });
  const url = `${page}?token=${secret}`;
  await deps.mails.queue(email, { kind: "invitation", url, accountEmail: account.email, role });
  return { status: 201, data: presentPerson(person) };
};

/** In 24 hours, by whomever: the mails go to somebody who did not ask for them. */
const mostToAddress = 5;
/** In 24 hours; as many people as an account may have. */
const mostOfAccount = 200;

/** Counted once the person is invited, so that no refusal uses up anything; the transaction takes the person back. */
async function refuseTooMany(
  limiter: OperationDeps<"accounts">["dailyLimiter"],
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  const buckets = [
    { bucket: `invitations of ${accountId}`, limit: mostOfAccount, whose: "by one account" },
    { bucket: `invitations to ${digestEmail(email)}`, limit: mostToAddress, whose: `to ${email}` },
  ];
  for (const { bucket, limit, whose } of buckets) {
    const state = await limiter.consume(bucket, limit);
    if (!state.isAllowed) {
      throw new Problem("RATE_LIMITED", `No more than ${limit} invitations are sent ${whose} in 24 hours.`, {
        headers: { "Retry-After": String(retryAfterSecondsOf(state)) },
      });
    }
  }
}

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
