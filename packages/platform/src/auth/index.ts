import type { AuthServiceDeps } from "./user-audit.ts";
import type { Kysely } from "kysely";
import { createAuthenticators } from "./authenticator.ts";
import { createFactors } from "./factor.ts";
import { createMailLinks } from "./mail-link.ts";
import { createPasskeys } from "./passkey.ts";
import { createProviderRecords } from "./provider-record.ts";
import { createRefreshAnswers } from "./refresh-answer.ts";
import { createSessions } from "./session.ts";
import { createSigningKeys } from "./signing-key.ts";
import type { AuthTables } from "./tables.ts";
import { createTokenExchanges } from "./token-exchange.ts";
import { createUsers } from "./user.ts";

export * from "./authenticator.ts";
export * from "./email-address.ts";
export { FactorNotProved } from "./factor.ts";
export * from "./factor-rule.ts";
export * from "./mail-link.ts";
export * from "./passkey.ts";
export type { NamedRecord, NewRecord, ProviderRecord } from "./provider-record.ts";
export type { SentToken } from "./refresh-answer.ts";
export * from "./session.ts";
export * from "./signing-key.ts";
export type { AuthTables } from "./tables.ts";
export { base32Of, totpCodeOf, totpSecretBytes } from "./totp.ts";
export type { ExchangeFacts, TokenHolder } from "./token-exchange.ts";
export * from "./user.ts";

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  return {
    authenticators: createAuthenticators(db, deps),
    factors: createFactors(db, deps),
    mailLinks: createMailLinks(db, deps),
    passkeys: createPasskeys(db, deps),
    providerRecords: createProviderRecords(db, deps),
    refreshAnswers: createRefreshAnswers(db, deps),
    sessions: createSessions(db, deps),
    signingKeys: createSigningKeys(db, deps),
    tokenExchanges: createTokenExchanges(db, deps),
    users: createUsers(db, deps),
  };
}
