import type { Account } from "../accounts/index.ts";
import type { Services } from "../compose/may-call.ts";

type Suspending = Pick<Services, "accounts" | "events">;

/** For operators: a second after the commit no credential of the account opens anything, and its events are held. */
export async function suspendAccount(
  { accounts, events }: Suspending,
  input: { id: string; reason: string | null },
): Promise<Account | null> {
  const account = await accounts.suspend(input);
  await events.webhooks.changeSuspension({ accountId: input.id, isSuspended: true });
  return account;
}

/** Deliveries held meanwhile become due, oldest first. Must run in a transaction. */
export async function resumeAccount({ accounts, events }: Suspending, id: string): Promise<Account | null> {
  const account = await accounts.resume(id);
  await events.webhooks.changeSuspension({ accountId: id, isSuspended: false });
  return account;
}
