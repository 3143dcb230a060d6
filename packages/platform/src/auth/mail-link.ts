import type { Clock } from "@gateway/kernel";
import { firstOf } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import { randomBytes } from "node:crypto";
import { foldEmail } from "./email-address.ts";
import { hashOf } from "./hash-of.ts";
import type { AuthTables, MailLinksTable } from "./tables.ts";

export type MailLinkPurpose = "sign_up" | "password_reset" | "invitation" | "email_change" | "account_email";

export type MailLink = {
  purpose: MailLinkPurpose;
  email: string;
  /** For an invitation: the place in the account that waits for its user. */
  personId: string | null;
  /** For a change of address: the user who will have it. */
  userId: string | null;
  /** For an account's address: the account that will be notified there. */
  accountId: string | null;
};

const minuteMs = 60_000;
/** Short for a link that replaces a password, and longer for an invitation, because its receiver does not expect it. */
export const mailLinkLifeMs: Readonly<Record<MailLinkPurpose, number>> = {
  sign_up: 24 * 60 * minuteMs,
  password_reset: 60 * minuteMs,
  invitation: 7 * 24 * 60 * minuteMs,
  email_change: 24 * 60 * minuteMs,
  account_email: 24 * 60 * minuteMs,
};

/** The holder of a mailed link has read the mail, so the address is theirs. The database stores only hashes. */
export interface MailLinks {
  /** Returns the secret that goes into the link: 256 random bits in base64url. */
  create(link: Omit<MailLink, "userId" | "accountId"> & { userId?: string; accountId?: string }): Promise<string>;
  /** Null when it was used, has expired or does not exist. */
  find(secret: string, purpose: MailLinkPurpose): Promise<MailLink | null>;
  /** Like `find`, but only once: of two concurrent calls one gets null. */
  use(secret: string, purpose: MailLinkPurpose): Promise<MailLink | null>;
  /** Ends the earlier links of this purpose to the address; with an account, only the links of that account. */
  revoke(link: { email: string; purpose: MailLinkPurpose; accountId?: string }): Promise<void>;
  prune(): Promise<number>;
}

export function createMailLinks(db: Kysely<AuthTables>, { clock }: { clock: Clock }): MailLinks {
  const now = (): Date => new Date(clock.now());
  const isUsable = (secret: string, purpose: MailLinkPurpose) => sql<boolean>`
    secret_hash = ${hashOf(secret)} and purpose = ${purpose} and used_at is null and expires_at > ${now()}
  `;
  return {
    create: async ({ purpose, email, personId, userId = null, accountId = null }) => {
      const secret = randomBytes(32).toString("base64url");
      await db
        .insertInto("mail_links")
        .values({
          secret_hash: hashOf(secret),
          purpose,
          email,
          person_id: personId,
          user_id: userId,
          account_id: accountId,
          created_at: now(),
          expires_at: new Date(clock.now() + mailLinkLifeMs[purpose]),
        })
        .execute();
      return secret;
    },
    find: (secret, purpose) =>
      firstOf(db.selectFrom("mail_links").select(linkColumns).where(isUsable(secret, purpose)), mailLinkOf),
    use: (secret, purpose) => {
      const used = db.updateTable("mail_links").set({ used_at: now() }).where(isUsable(secret, purpose));
      return firstOf(used.returning(linkColumns), mailLinkOf);
    },
    revoke: async ({ email, purpose, accountId }) => {
      const links = db
        .updateTable("mail_links")
        .set({ used_at: now() })
        .where("email_key", "=", foldEmail(email))
        .where("purpose", "=", purpose)
        .where("used_at", "is", null);
      await (accountId === undefined ? links : links.where("account_id", "=", accountId)).execute();
    },
    prune: async () => {
      const { numDeletedRows } = await db.deleteFrom("mail_links").where("expires_at", "<=", now()).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

const linkColumns = ["purpose", "email", "person_id", "user_id", "account_id"] as const;

function mailLinkOf(row: Pick<Selectable<MailLinksTable>, (typeof linkColumns)[number]>): MailLink {
  return {
    purpose: row.purpose,
    email: row.email,
    personId: row.person_id,
    userId: row.user_id,
    accountId: row.account_id,
  };
}
