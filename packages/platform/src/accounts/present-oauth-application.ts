import type { Schemas } from "@gateway/contract";
import type { Actor } from "../audit/index.ts";
import type { Scope } from "./role.ts";

export type OauthApplication = {
  /** Also its client_id. */
  id: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  /** Of the public internet, both of them. */
  logoUri: string | null;
  websiteUrl: string | null;
  createdAt: Date;
  createdBy: Actor | null;
  /** Who let it act for them, of any account; counted up to 1,000. */
  peopleCount: number;
  lastUsedAt: Date | null;
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
