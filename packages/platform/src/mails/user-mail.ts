import type { Schemas } from "@gateway/contract";
import type { Cipher, Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { mailsWaiting, wakeDispatchers } from "@gateway/engine/wake-dispatchers";
import type { MailsTables, NoticeKind } from "./tables.ts";
import type { CreateId } from "@gateway/engine/id";

/** Content of the mails to users. `url`: where the reader goes to act on it. The `url` of a link holds a secret. */
export type UserMail =
  | { kind: "sign_up"; url: string }
  /** For a sign-up with the address of an existing user: the page must not say that it exists, the mail may. */
  | { kind: "sign_up_known"; url: string }
  | { kind: "password_reset"; url: string }
  | { kind: "password_changed"; url: string }
  /** Sent to the new address, and then `email_changed` to the previous one. */
  | { kind: "email_change"; url: string }
  | { kind: "email_changed"; url: string }
  /** Sent to the address that an account is to use. */
  | { kind: "account_email"; url: string; accountEmail: string }
  | { kind: "passkey_added"; url: string; passkeyName: string }
  | { kind: "account_closed"; url: string; accountEmail: string }
  | { kind: "authenticator_added"; url: string }
  | { kind: "authenticator_removed"; url: string }
  | { kind: "recovery_code_used"; url: string; left: number }
  | { kind: "invitation"; url: string; accountEmail: string; role: Schemas["Role"] }
  /** `isLast`: no further mails of this kind for now. */
  | (Notice & { isLast: boolean });

/** A possible attack, with the person who acted and the client address. Never holds a secret. */
export type Notice = { clientAddress: string | null } & (
  | { kind: "admin_key_created"; accountEmail: string; by: string; apiKeyId: string; hint: string }
  | { kind: "redirect_uri_added"; accountEmail: string; by: string; applicationId: string; hosts: readonly string[] }
  | { kind: "transfer_policy_changed"; accountEmail: string; by: string }
  | {
      kind: "address_book_changed";
      accountEmail: string;
      by: string;
      change: "added" | "removed";
      entryId: string;
      address: string;
    }
  | { kind: "owners_changed"; accountEmail: string; by: string; change: "made" | "ended"; ownerEmail: string }
  /** `asked`: not confirmed yet. `accountEmail` is the previous address. */
  | { kind: "account_email_changed"; accountEmail: string; by: string; change: "asked" | "confirmed"; newEmail: string }
  | { kind: "signed_in_on_new_device"; url: string; device: string }
  | { kind: "passkey_removed"; url: string; device: string; passkeyNames: readonly string[] }
  | { kind: "sign_in_locked"; url: string; isByCodes?: boolean }
);

/**
 * Mails to one address in an hour: the limit prevents burying an important one. The last one says that it is the last.
 */
export const mostNotices: Readonly<Record<NoticeKind, number>> = {
  admin_key_created: 5,
  redirect_uri_added: 5,
  // Only people who have just signed in, or who may do everything, cause these. Each is reported, up to a flood.
  transfer_policy_changed: 20,
  address_book_changed: 50,
  owners_changed: 20,
  account_email_changed: 20,
  signed_in_on_new_device: 5,
  passkey_removed: 5,
  // A stranger can cause it.
  sign_in_locked: 1,
};
const noticeWindowMs = 60 * 60_000;

export type UserMails = ReturnType<typeof createUserMails>;

export type UserMailDeps = { clock: Clock; createId: CreateId; cipher: Cipher };

export function createUserMails(db: Kysely<MailsTables>, deps: UserMailDeps) {
  return {
    /** A dispatcher sends the mail once the transaction commits. It is kept sealed until then and after. */
    queue: (email: string, mail: UserMail) => queueMail(db, deps, { email, mail }),
    /** To each address that did not get `mostNotices` of the kind in the last hour. Must run in a transaction. */
    notify: async (emails: readonly string[], notice: Notice) => {
      // Sorted, because each address takes a lock.
      for (const email of [...new Set(emails)].toSorted()) {
        const left = mostNotices[notice.kind] - (await countNotices(db, deps.clock, { email, kind: notice.kind }));
        if (left > 0) {
          await queueMail(db, deps, { email, mail: { ...notice, isLast: left === 1 } });
        }
      }
    },
    forget: async (email: string) => {
      await db.deleteFrom("mails").where("email", "=", email).execute();
    },
  };
}

async function queueMail(
  db: Kysely<MailsTables>,
  { clock, createId, cipher }: UserMailDeps,
  { email, mail }: { email: string; mail: UserMail },
): Promise<void> {
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
}

/** Locks the notices until the transaction ends, so concurrent transactions cannot exceed the maximum. */
async function countNotices(
  db: Kysely<MailsTables>,
  clock: Clock,
  { email, kind }: { email: string; kind: NoticeKind },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`notices ${kind} ${email}`}, 0))`.execute(db);
  const { rows } = await sql`
    select from mails
    where (email, kind, created_at) > (${email}, ${kind}, ${new Date(clock.now() - noticeWindowMs)}::timestamptz)
      and (email, kind) <= (${email}, ${kind})
    order by email, kind, created_at limit ${sql.lit(mostNotices[kind])}
  `.execute(db);
  return rows.length;
}

export function openUserMail(cipher: Pick<Cipher, "open">, mail: { id: string; content: Buffer }): UserMail {
  // Sealed by `queue` from this type, and the seal is authenticated.
  return JSON.parse(cipher.open(mail.content, contextOfMail(mail.id)).toString()) as UserMail;
}

function contextOfMail(id: string): string {
  return `mail ${id}`;
}
