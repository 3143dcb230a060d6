import { byTime, id, runStatements } from "../statements.ts";

/**
 * Verifications of people. The submitted personal data and the reason of a decision are sealed, and deleted when
 * `personal_deleted_at` is set. The reference is '' when there is none. So one index finds the last one of a reference
 * and the last one without.
 */
export const identity = runStatements([
  `create table kyc_verifications (
    account_id ${id} not null,
    id ${id} not null,
    reference text not null,
    external_id text,
    status text not null check (status in ('submitted', 'review_required', 'verified', 'rejected')),
    checks jsonb not null,
    rejection_code text,
    previous_id text,
    personal bytea,
    reason bytea,
    personal_deleted_at timestamptz,
    review_until timestamptz,
    decided_by jsonb,
    decided_at timestamptz,
    valid_until timestamptz,
    metadata jsonb not null,
    created_at timestamptz not null,
    primary key (account_id, id),
    check (status <> 'review_required' or review_until is not null),
    check ((status in ('verified', 'rejected')) = (decided_at is not null)),
    check ((status = 'verified') = (valid_until is not null)),
    check ((status = 'rejected') = (rejection_code is not null)),
    check (personal_deleted_at is null or num_nonnulls(personal, reason) = 0)
  )`,
  `create index kyc_verifications_by_reference on kyc_verifications (reference, account_id, id)`,
  `create index kyc_verifications_by_time on kyc_verifications (${byTime})`,
  `create index kyc_verifications_by_status on kyc_verifications (status, account_id, id)`,
  `create index kyc_verifications_by_status_and_reference
    on kyc_verifications (((status || ' ' || reference) collate "C"), account_id, id)`,
  `create unique index kyc_verifications_by_external_id on kyc_verifications (account_id, external_id)
    where external_id is not null`,
  `create unique index kyc_verifications_open on kyc_verifications (account_id, reference)
    where reference <> '' and status in ('submitted', 'review_required')`,
]);
