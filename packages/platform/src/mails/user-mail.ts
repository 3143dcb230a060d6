import type { Schemas } from "@gateway/contract";
import type { Cipher, Clock } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { mailsWaiting, wakeDispatchers } from "../wake-dispatchers.ts";
import type { MailsTables } from "./tables.ts";
import type { CreateId } from "../id.ts";

/** What mails to users tell. `url`: where the reader goes to act on it; those of links hold a secret. */
export type UserMail =
  | { kind: "sign_up"; url: string }
  /** Somebody signed up with an address that has a user already: the page must not say so, the mail may. */
  | { kind: "sign_up_known"; url: string }
  | { kind: "password_reset"; url: string }
  | { kind: "password_changed"; url: string }
  /** To the new address, and then to the one before. */
  | { kind: "email_change"; url: string }
  | { kind: "email_changed"; url: string }
  | { kind: "passkey_added"; url: string; passkeyName: string }
  | { kind: "invitation"; url: string; accountEmail: string; role: Schemas["Role"] };

export interface UserMails {
  /** Sent by a dispatcher once the transaction commits; kept sealed until then and after. */
  queue(email: string, mail: UserMail): Promise<void>;
}

export type UserMailDeps = { clock: Clock; createId: CreateId; cipher: Cipher };

export function createUserMails(db: Kysely<MailsTables>, { clock, createId, cipher }: UserMailDeps): UserMails {
  return {
    queue: async (email, mail) => {
      const id = createId("mai");
      const now = new Date(clock.now());
      await db
        .insertInto("mails")
        .values({
          id,
          kind: mail.kind,
          email,
          content: cipher.seal(Buffer.from(JSON.stringify(mail)), contextOfMail(id)),
          created_at: now,
          due_at: now,
          attempt_count: 0,
        })
        .execute();
      await wakeDispatchers(db, mailsWaiting);
    },
  };
}

/** Reads what `queue` sealed. */
export function openUserMail(cipher: Pick<Cipher, "open">, mail: { id: string; content: Buffer }): UserMail {
  // Sealed by `queue` out of this very type, and the seal is authenticated.
  return JSON.parse(cipher.open(mail.content, contextOfMail(mail.id)).toString()) as UserMail;
}

function contextOfMail(id: string): string {
  return `mail ${id}`;
}
