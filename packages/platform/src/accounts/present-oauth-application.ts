import type { Schemas } from "@gateway/contract";
import type { Actor } from "../audit/index.ts";
import type { Scope } from "./role.ts";

export type OauthApplication = {
  /** Also its client_id. */
  id: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  /** Both URLs are on the public internet. */
  logoUri: string | null;
  websiteUrl: string | null;
  createdAt: Date;
  createdBy: Actor | null;
  /** Number of people in any account who let the application act for them, counted up to 1,000. */
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
