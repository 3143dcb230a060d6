import type { Schemas } from "@gateway/contract";
import type { OauthApplication } from "./oauth-application.ts";

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
