import { id, runStatements } from "../statements.ts";

/**
 * Mails to owners about a webhook, and to users, whose mails hold links and are sealed. The latter belong to no webhook
 * and perhaps to no account.
 */
export const mails = runStatements([
  `create table mails (
    id ${id} primary key,
    account_id ${id} references accounts (id),
    webhook_id ${id},
    kind text not null,
    created_at timestamptz not null,
    due_at timestamptz,
    attempt_count integer not null,
    email text,
    content bytea,
    foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade,
    constraint mails_shape check (
      case when kind in ('webhook_warning', 'webhook_failed')
        then account_id is not null and webhook_id is not null and content is null
        else email is not null and content is not null
      end
    )
  )`,
  `create index mails_due on mails (due_at) where due_at is not null`,
  // Counts the notices of a kind that an address got in the last hour.
  `create index mails_by_recipient on mails (email, kind, created_at) where email is not null`,
]);
