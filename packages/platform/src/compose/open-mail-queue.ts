import { closedAddressOf, findAccount, type AccountsTables } from "../accounts/index.ts";
import { describeFailingWebhook, type EventsTables } from "../events/index.ts";
import { createMailQueue, type MailQueue, type MailsTables } from "../mails/index.ts";
import type { PlatformDatabase } from "./schema.ts";

/** The queue of waiting mails, with look-ups in the services that a mail is about. */
export function openMailQueue({ kysely }: PlatformDatabase): MailQueue {
  const ofAccounts = kysely.$pickTables<keyof AccountsTables>();
  const ofEvents = kysely.$pickTables<keyof EventsTables>();
  return createMailQueue(kysely.$pickTables<keyof MailsTables>(), {
    findAccountEmail: async (accountId) => {
      const email = (await findAccount(ofAccounts, accountId))?.email ?? null;
      return email === closedAddressOf(accountId) ? null : email;
    },
    describeWebhook: (of) => describeFailingWebhook(ofEvents, of),
  });
}
