import type { Schemas } from "@gateway/contract";
import type { NounOf } from "@gateway/engine/noun";
import type { Selectable } from "kysely";
import type { Scope } from "./role.ts";
import type { AccountsTables } from "./tables.ts";

type Row = Selectable<AccountsTables["oauth_applications"]>;

/** `id` is also its client_id. `logoUri` and `websiteUrl` are on the public internet. */
export type OauthApplication = Omit<NounOf<Row>, "scopes"> & {
  scopes: Scope[];
  /** Number of people in any account who let the application act for them, counted up to 1,000. */
  peopleCount: number;
};

export function presentOauthApplication(application: OauthApplication): Schemas["OauthApplication"] {
  return {
    id: application.id,
    name: application.name,
    redirectUris: application.redirectUris,
    scopes: application.scopes,
    logoUri: application.logoUri,
    websiteUrl: application.websiteUrl,
    createdAt: application.createdAt.toISOString(),
    peopleCount: application.peopleCount,
    lastUsedAt: application.lastUsedAt?.toISOString() ?? null,
    createdBy: application.createdBy,
  };
}
