import { Problem } from "@gateway/contract";
import { retryAfterSecondsOf } from "@gateway/limits";
import { digestEmail } from "@gateway/platform/auth";
import type { DeploymentDeps } from "./operation.ts";

/** Nothing but a new configuration helps, so the caller is told to wait for long. */
const retryAfterSeconds = 3600;

/** The page of the identity provider that a mailed link opens. `action`, in the refusal without one, is what it does. */
export function pageForMail(authUrl: string | null, { path, action }: { path: string; action: string }): string {
  if (authUrl === null) {
    throw new Problem(
      "UNAVAILABLE",
      `This deployment has no identity provider, so it is not possible to ${action}. Ask its operator to set AUTH_URL.`,
      { headers: { "Retry-After": String(retryAfterSeconds) } },
    );
  }
  return `${authUrl}${path}`;
}

/** In 24 hours, by whomever: the mails go to somebody who did not ask for them. */
const mostToAddress = 5;

/** `mails`: what they are called, in the message and in the name of what counts them. `mostOfAccount`: in 24 hours. */
type CountedMail = { mails: string; accountId: string; email: string; mostOfAccount: number };

/** Counted once what they are for is done, so that no refusal uses up anything; the transaction takes that back. */
export async function refuseTooManyMails(
  limiter: DeploymentDeps["dailyLimiter"],
  { mails, accountId, email, mostOfAccount }: CountedMail,
): Promise<void> {
  const buckets = [
    { bucket: `${mails} of ${accountId}`, limit: mostOfAccount, whose: "by one account" },
    { bucket: `${mails} to ${digestEmail(email)}`, limit: mostToAddress, whose: `to ${email}` },
  ];
  for (const { bucket, limit, whose } of buckets) {
    const state = await limiter.consume(bucket, limit);
    if (!state.isAllowed) {
      throw new Problem("RATE_LIMITED", `No more than ${limit} ${mails} are sent ${whose} in 24 hours.`, {
        headers: { "Retry-After": String(retryAfterSecondsOf(state)) },
      });
    }
  }
}
