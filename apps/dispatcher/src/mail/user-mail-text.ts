import type { Role } from "@gateway/platform/accounts";
import { mailLinkLifeMs, type MailLinkPurpose } from "@gateway/platform/auth";
import type { Notice, SealedUserMail, UserMail } from "@gateway/platform/mails";
import { paragraphs, type MailText } from "./mail-text.ts";
import { minuteOf, writeNotice } from "./notice-text.ts";

type UserMailKind = UserMail["kind"];

/** The mails whose link expires. */
const purposeOf: Readonly<Partial<Record<UserMailKind, MailLinkPurpose>>> = {
  sign_up: "sign_up",
  password_reset: "password_reset",
  invitation: "invitation",
  email_change: "email_change",
  account_email: "account_email",
};

/** Whether its link has expired, because a mail server was away for long. */
export function isMailOver({ kind, createdAt }: Pick<SealedUserMail, "kind" | "createdAt">, nowMs: number): boolean {
  const purpose = purposeOf[kind];
  return purpose !== undefined && createdAt.getTime() + mailLinkLifeMs[purpose] <= nowMs;
}

/** The link is alone on its line. A mail that a stranger can cause quotes no text that they chose. */
export function writeUserMail(
  mail: UserMail,
  { livemode, createdAt }: { livemode: boolean; createdAt: Date },
): MailText {
  const { subject, text } =
    "isLast" in mail ? writeNotice(mail, createdAt) : textOf(mail.kind, mail, validUntil(mail.kind, createdAt));
  return { subject: `${livemode ? "" : "[sandbox] "}${subject}`, text };
}

type Texts = Exclude<UserMail, Notice>;
type TextOf = { [Kind in Texts["kind"]]: Extract<Texts, { kind: Kind }> };

/** A kind without its text does not compile. */
const texts: { readonly [Kind in keyof TextOf]: (mail: TextOf[Kind], until: string) => MailText } = {
  sign_up: (mail, until) => ({
    subject: "Create your account",
    text: paragraphs(
      "Open this link to choose a name and a password:",
      mail.url,
      `The link works once, until ${until}.`,
      "You did not ask for this? Then somebody entered your address by mistake. Do nothing: without the link nothing happens.",
    ),
  }),
  sign_up_known: (mail) => ({
    subject: "You have an account already",
    text: paragraphs(
      "Somebody, perhaps you, wanted to create an account with this address. There is one already. Sign in here:",
      mail.url,
      "Forgotten your password? There is a link for it on that page.",
      "You did not ask for this? Do nothing: nothing was changed.",
    ),
  }),
  password_reset: (mail, until) => ({
    subject: "Choose a new password",
    text: paragraphs(
      "Open this link to choose a new password:",
      mail.url,
      `The link works once, until ${until}. It signs you out of all devices.`,
      "You did not ask for this? Do nothing: your password stays as it is. If it happens often, another person may be trying to get in.",
    ),
  }),
  password_changed: (mail) => ({
    subject: "Your password was changed",
    text: paragraphs(
      "The password of your account was changed, and all other devices were signed out.",
      "Not you? Choose a new password at once, and let it disconnect all applications too:",
      mail.url,
    ),
  }),
  email_change: (mail, until) => ({
    subject: "Confirm your new e-mail address",
    text: paragraphs(
      "Open this link to sign in with this address from now on:",
      mail.url,
      `The link works once, until ${until}. You must be signed in to use it.`,
      "You did not ask for this? Then somebody entered your address by mistake. Do nothing: without the link nothing happens.",
    ),
  }),
  email_changed: (mail) => ({
    subject: "Your e-mail address was changed",
    text: paragraphs(
      "You sign in with another e-mail address from now on, and this one gets no more mails. All other devices were signed out.",
      "Not you? Ask an owner of your account for help at once, and if you can still sign in, change it back here:",
      mail.url,
    ),
  }),
  account_email: (mail, until) => ({
    subject: "Confirm the e-mail address of your account",
    text: paragraphs(
      `The account ${mail.accountEmail} will use this address for our mails: about failed webhooks and possible attacks. Open this link to confirm it:`,
      mail.url,
      `The link works once, until ${until}. It cannot be used to sign in.`,
      "You do not know the account? Do nothing: without the link nothing happens.",
    ),
  }),
  passkey_added: (mail) => ({
    subject: "A passkey was added to your account",
    text: paragraphs(
      `The passkey "${mail.passkeyName}" was added to your account and can sign you in.`,
      "Not you? Remove it, change your password and sign out all other devices:",
      mail.url,
    ),
  }),
  authenticator_added: (mail) => ({
    subject: "An authenticator app was added to your account",
    text: paragraphs(
      "From now on you sign in with your password and a code from the app.",
      "Not you? Choose a new password at once, and ask the operator of this service for help:",
      mail.url,
    ),
  }),
  authenticator_removed: (mail) => ({
    subject: "The authenticator app was removed from your account",
    text: paragraphs(
      "You now sign in with your password only.",
      "Not you? Choose a new password at once, and let it disconnect all applications too:",
      mail.url,
    ),
  }),
  recovery_code_used: (mail) => ({
    subject: "A recovery code was used",
    text: paragraphs(
      `Somebody signed in to your account with one of your recovery codes. ${mail.left === 0 ? "None is left." : `${mail.left} are left.`} You get new ones on the page of your account.`,
      "Not you? Choose a new password at once, and new recovery codes:",
      mail.url,
    ),
  }),
  account_closed: (mail) => ({
    subject: "Your account was closed",
    text: paragraphs(
      `The account ${mail.accountEmail} was closed by one of its owners. Its keys and applications are revoked, its webhooks are not called any more, and what people wrote in it is erased after 30 days.`,
      "Not you? Ask the other owners, and look at your devices and change your password here:",
      mail.url,
    ),
  }),
  invitation: (mail, until) => ({
    subject: "You are invited to an account",
    text: paragraphs(
      `The account ${mail.accountEmail} invites you as ${articles[mail.role]} ${mail.role}. Open this link to see the invitation:`,
      mail.url,
      `The link works once, until ${until}.`,
      "You do not know the account? Do nothing: without the link nothing happens.",
    ),
  }),
};

function textOf<Kind extends keyof TextOf>(kind: Kind, mail: TextOf[Kind], until: string): MailText {
  return texts[kind](mail, until);
}

const articles: Readonly<Record<Role, string>> = { viewer: "a", member: "a", owner: "an" };

function validUntil(kind: UserMailKind, createdAt: Date): string {
  const purpose = purposeOf[kind];
  const end = new Date(createdAt.getTime() + (purpose === undefined ? 0 : mailLinkLifeMs[purpose]));
  return minuteOf(end);
}
