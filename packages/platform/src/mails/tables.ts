import type { Immutable, NullableColumn } from "@gateway/database";

export type MailsTables = {
  mails: MailsTable;
};

type MailsTable = {
  id: Immutable<string>;
  account_id: NullableColumn<string>;
  webhook_id: NullableColumn<string>;
  kind: Immutable<MailKind>;
  /** The address of a mail to a user. Mails to accounts go to the account's address. */
  email: NullableColumn<string>;
  /** The names and links in a mail to a user, sealed and bound to the mail's id. */
  content: NullableColumn<Buffer>;
  created_at: Immutable<Date>;
  /** Null when sent. */
  due_at: NullableColumn<Date>;
  attempt_count: number;
};

type MailKind = WebhookMailKind | UserMailKind;
export type WebhookMailKind = "webhook_warning" | "webhook_failed";
export type UserMailKind =
  | "sign_up"
  | "sign_up_known"
  | "password_reset"
  | "password_changed"
  | "email_change"
  | "email_changed"
  | "account_closed"
  | "account_email"
  | "passkey_added"
  | "authenticator_added"
  | "authenticator_removed"
  | "recovery_code_used"
  | "invitation"
  | NoticeKind;
/** Notices that owners and users get of possible attacks. */
export type NoticeKind =
  | "admin_key_created"
  | "redirect_uri_added"
  | "transfer_policy_changed"
  | "address_book_changed"
  | "owners_changed"
  | "account_email_changed"
  | "signed_in_on_new_device"
  | "passkey_removed"
  | "sign_in_locked";
