import type { Kysely } from "kysely";
import type { MailsTables } from "./tables.ts";
import { createUserMails, type UserMailDeps, type UserMails } from "./user-mail.ts";

export * from "./mail-queue.ts";
export type { MailsTables, UserMailKind } from "./tables.ts";
export * from "./user-mail.ts";
export { queueWebhookMails } from "./webhook-mail.ts";

export type Mails = UserMails;

export function createMails(db: Kysely<MailsTables>, deps: UserMailDeps): Mails {
  return createUserMails(db, deps);
}
