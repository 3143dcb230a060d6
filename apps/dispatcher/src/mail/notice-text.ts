import type { Notice, UserMail } from "@gateway/platform/mails";
import { paragraphs, type MailText } from "./mail-text.ts";

type NoticeMail = Extract<UserMail, Notice>;

export function writeNotice(mail: NoticeMail, createdAt: Date): MailText {
  const { facts, subject, happened, advice } = partsOf(mail.kind, mail);
  const known = [
    ...facts,
    `From: ${mail.clientAddress ?? "an address that is not known"}`,
    `At: ${minuteOf(createdAt)}`,
  ];
  const last = mail.isLast ? ["You get no more mails of this kind within the hour, even if it happens again."] : [];
  return { subject, text: paragraphs(happened, known.join("\n"), ...advice, ...last) };
}

/** `2026-03-09 12:00 UTC`. */
export function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

type NoticeOf = { [Kind in NoticeMail["kind"]]: Extract<NoticeMail, { kind: Kind }> };
type Parts = { facts: string[]; subject: string; happened: string; advice: string[] };

/** A kind without its text does not compile. */
const parts: { readonly [Kind in keyof NoticeOf]: (mail: NoticeOf[Kind]) => Parts } = {
  admin_key_created: (mail) => ({
    facts: [`Key: ${mail.apiKeyId} (${mail.hint})`, `Made by: ${mail.by}`],
    subject: "A new admin key was made in your account",
    happened: `An API key with the permission admin was made in the account ${mail.accountEmail}. Its holder can do everything in the account.`,
    advice: [
      `Not your team? Revoke it with DELETE /api/v1/api-keys/${mail.apiKeyId}, and the credential that made it.`,
    ],
  }),
  redirect_uri_added: (mail) => ({
    facts: [`Application: ${mail.applicationId}`, `New: ${mail.hosts.join(", ")}`, `Added by: ${mail.by}`],
    subject: "An application of your account has a new redirect URI",
    happened: `An application of the account ${mail.accountEmail} can now send people to another address after they sign in, with the access that they allow.`,
    advice: [
      `Not your team? Remove the address with PATCH /api/v1/oauth-applications/${mail.applicationId}, or delete the application, and revoke the credential that added it.`,
    ],
  }),
  transfer_policy_changed: (mail) => ({
    facts: [`Changed by: ${mail.by}`],
    subject: "The transfer policy of your account was changed",
    happened: `Other rules will say which transfers of the account ${mail.accountEmail} go out and who must approve them. They apply in 24 hours.`,
    advice: ["Not your team? Replace them before then with PUT /api/v1/transfer-policy, signed in at the console."],
  }),
  address_book_changed: (mail) => ({
    facts: [`Address: ${mail.address}`, `Entry: ${mail.entryId}`, `Changed by: ${mail.by}`],
    subject: `An address was ${mail.change} in the address book of your account`,
    happened:
      mail.change === "added"
        ? `In 24 hours the rules for known addresses will apply to transfers of the account ${mail.accountEmail} to this address.`
        : `The rules for known addresses no longer apply to transfers of the account ${mail.accountEmail} to this address.`,
    advice:
      mail.change === "added"
        ? [`Not your team? Remove it before then with DELETE /api/v1/address-book/${mail.entryId}.`]
        : [],
  }),
  owners_changed: (mail) => ({
    facts: [`Person: ${mail.ownerEmail}`, `Changed by: ${mail.by}`],
    subject: "The owners of your account have changed",
    happened:
      mail.change === "made"
        ? `The account ${mail.accountEmail} has another owner, who counts for approvals after 24 hours.`
        : `A person is no longer an owner of the account ${mail.accountEmail}.`,
    advice: ["Not your team? Change it back under /api/v1/people, and revoke the credential that did it."],
  }),
  account_email_changed: (mail) => ({
    facts:
      mail.change === "asked"
        ? [`New address: ${mail.newEmail}`, `Requested by: ${mail.by}`]
        : [`New address: ${mail.newEmail}`, `Confirmed by: ${mail.by}`],
    ...(mail.change === "asked"
      ? {
          subject: "A new e-mail address was requested for your account",
          happened: `The account ${mail.accountEmail} will use another address for our mails, once a person who reads the mails there has confirmed it.`,
          advice: [
            `Not your team? Keep the address: send PATCH /api/v1/account with {"email": "${mail.accountEmail}"}, which ends the link, and revoke the credential that requested it.`,
          ],
        }
      : {
          subject: "Your account has another e-mail address",
          happened: `Another address was confirmed for the account ${mail.accountEmail}. Mails about the account go there from now on.`,
          advice: [
            "Not your team? Change it back with PATCH /api/v1/account, and revoke the credential that requested it: the audit log of the account names it.",
          ],
        }),
  }),
  signed_in_on_new_device: (mail) => ({
    facts: [`Device: ${mail.device}`],
    subject: "A new device signed in to your account",
    happened: "Your account was signed in to on a device that you had not signed in with before.",
    advice: ["Not you? Sign out that device and change your password:", mail.url],
  }),
  passkey_removed: (mail) => ({
    facts: [`Device: ${mail.device}`],
    subject: "A passkey was removed from your account",
    happened: `Removed from your account, and no longer accepted for signing in: ${namesOf(mail.passkeyNames)}.`,
    advice: ["Not you? Change your password and sign out all other devices:", mail.url],
  }),
  sign_in_locked: (mail) => ({
    facts: [],
    ...(mail.isByCodes
      ? lockedByCodes(mail.url)
      : {
          subject: "Too many wrong passwords for your account",
          happened:
            "Wrong passwords were entered for your address too often, so signing in with a password is refused for up to 15 minutes. Your passkeys still work.",
          advice: [
            "Not you? The attempt did not succeed. A new password is needed only if yours is easy to guess; setting one lifts the lock at once:",
            mail.url,
          ],
        }),
  }),
};

function partsOf<Kind extends keyof NoticeOf>(kind: Kind, mail: NoticeOf[Kind]): Parts {
  return parts[kind](mail);
}

function namesOf(passkeys: readonly string[]): string {
  return passkeys.map((name) => `the passkey "${name}"`).join(", ");
}

/** A sign-in asks for a code only after the password. */
function lockedByCodes(url: string): Omit<Parts, "facts"> {
  return {
    subject: "Too many wrong codes for your account",
    happened:
      "Your password was entered, and then wrong codes too often, so codes are refused for up to 15 minutes. Your passkeys still work.",
    advice: ["Not you? Another person knows your password. Set a new one:", url],
  };
}
