import type { AuthServiceDeps } from "./user-audit.ts";
import type { Cipher } from "@gateway/kernel";
import { CompiledQuery, type Kysely } from "kysely";
import { hashOf } from "./hash-of.ts";
import { openRecord, rowOfRecord, type NamedRecord, type NewRecord, type ProviderRecord } from "./provider-record.ts";
import { openAnswer, rowOfAnswer, type RefreshAnswer, type SentToken } from "./refresh-answer.ts";
import type { AuthTables } from "./tables.ts";

export type TokenHolder = {
  grantId: string;
  accountId: string;
  userId: string;
  email: string;
  name: string;
  applicationScopes: readonly string[];
};

export type ExchangeFacts = {
  record: ProviderRecord;
  grantId: string | null;
  /** The record of the grant that the token belongs to. */
  grant: ProviderRecord | null;
  /** Null when the grant has ended. */
  holder: TokenHolder | null;
  /** The response that an application gets again for this token; null when there is none. */
  answerFor(sent: SentToken): RefreshAnswer | null;
};

type FinishInput = {
  used: NamedRecord;
  successor: NewRecord;
  answer: (SentToken & RefreshAnswer) | null;
};

type FactsRow = {
  payload: Buffer;
  consumed_at: Date | null;
  grant_id: string | null;
  grant_name: Buffer | null;
  grant_payload: Buffer | null;
  answer: Buffer | null;
  account_id: string | null;
  user_id: string | null;
  email: string | null;
  name: string | null;
  scopes: string[] | null;
};

/**
 * Two statements without a lock between them. The caller that loses the race gets false from `finish`, and looks again.
 */
export function createTokenExchanges(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  const selectFacts = selectFactsAmong(deps.livingGrants);
  return {
    /** Null when the code or token does not exist or has expired. */
    find: async (named: NamedRecord) => {
      const parameters = [named.model, hashOf(named.name), new Date(deps.clock.now())];
      const { rows } = await db.executeQuery<FactsRow>(CompiledQuery.raw(selectFacts, parameters));
      return rows[0] ? factsOf(named, rows[0], deps.cipher) : null;
    },
    /**
     * Uses up the code or token, and stores its successor and the response. False, with nothing stored, when it was
     * used or removed.
     */
    finish: async ({ used, successor, answer }: FinishInput) => {
      const record = rowOfRecord(successor, deps);
      const kept = answer && rowOfAnswer(answer, deps.clock);
      const parameters = [
        ...[used.model, hashOf(used.name), new Date(deps.clock.now())],
        ...[record.model, record.name_hash, record.grant_id, record.payload, record.expires_at],
        ...[kept?.token_hash ?? null, kept?.answer ?? null, kept?.expires_at ?? null],
      ];
      const { rows } = await db.executeQuery(CompiledQuery.raw(replaceToken, parameters));
      return rows.length > 0;
    },
  };
}

/** 1: model, 2: hash of the name, 3: now. A constant string, because building it took as long as the rest. */
const selectFactsAmong = (livingGrants: string): string => `
  select token.payload, token.consumed_at, token.grant_id, granted.name_hash as grant_name, granted.payload as grant_payload,
    kept.answer, holder.account_id, holder.user_id, holder.email, holder.name, holder.scopes
  from oidc_records token
  left join oidc_records granted on granted.model = 'Grant' and granted.name_hash = sha256(convert_to(token.grant_id, 'UTF8'))
    and granted.expires_at > $3
  left join refresh_answers kept on token.consumed_at is not null and kept.token_hash = token.name_hash
    and kept.expires_at > $3
  left join lateral (
    select living.account_id, living.user_id, users.email, users.name, living.scopes
    from (${livingGrants}) living
    join users on users.id = living.user_id
    where living.id = token.grant_id
  ) holder on true
  where token.model = $1 and token.name_hash = $2 and token.expires_at > $3`;

/** 1 to 3 as before, for the used token; 4 to 8: its successor; 9 to 11: the response, if one is kept. */
const replaceToken = `
  with used as (
    update oidc_records set consumed_at = $3
    where model = $1 and name_hash = $2 and consumed_at is null
    returning 1
  ), successor as (
    insert into oidc_records (model, name_hash, grant_id, payload, expires_at)
    select $4::text, $5::bytea, $6::text, $7::bytea, $8::timestamptz from used
  ), kept as (
    insert into refresh_answers (token_hash, answer, expires_at)
    select $9::bytea, $10::bytea, $11::timestamptz from used where $9::bytea is not null
  )
  select 1 from used`;

function factsOf({ model, name }: NamedRecord, row: FactsRow, cipher: Cipher): ExchangeFacts {
  const { grant_id: grantId, grant_name: grantName, grant_payload: grantPayload, answer } = row;
  return {
    record: openRecord(cipher, { model, name_hash: hashOf(name), ...row }),
    grantId,
    grant:
      grantName && grantPayload
        ? openRecord(cipher, { model: "Grant", name_hash: grantName, payload: grantPayload, consumed_at: null })
        : null,
    holder: grantId === null ? null : holderOf(grantId, row),
    answerFor: (sent) => answer && openAnswer(sent, answer),
  };
}

function holderOf(grantId: string, row: FactsRow): TokenHolder | null {
  const { account_id: accountId, user_id: userId, email, name, scopes } = row;
  return accountId !== null && userId !== null && email !== null && name !== null && scopes !== null
    ? { grantId, accountId, userId, email, name, applicationScopes: scopes }
    : null;
}
