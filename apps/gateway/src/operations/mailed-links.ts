import { Problem } from "@gateway/contract";
import { retryAfterSecondsOf } from "@gateway/limits";
import { digestEmail } from "@gateway/platform/auth";
import type { DeploymentDeps } from "./operation.ts";

/** Only a new configuration helps, so the caller is asked to wait for an hour. */
const retryAfterSeconds = 3600;

/** The page of the identity provider that a mailed link opens. `action` says in the refusal what the page is for. */
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

/** Mails of a kind to one address in 24 hours, whichever accounts send them: the recipient did not request them. */
const mostToAddress = 5;

/** `mails`: their name in the message and in the bucket of the limiter. `mostOfAccount`: the limit in 24 hours. */
type CountedMail = { mails: string; accountId: string; email: string; mostOfAccount: number };

/**
 * Is called after the change that the mail is about. A refused change then uses up no limit, and a refusal here rolls
 * the change back with the transaction.
 */
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
