import { invalidFields } from "@gateway/contract";
import type { Kysely } from "kysely";
import { consoleApplication } from "./console-application.ts";
import { findPublicUrlProblem, findRedirectUriProblem } from "./redirect-uri.ts";
import type { AccountsTables } from "./tables.ts";

type Addresses = {
  redirectUris: readonly string[] | undefined;
  logoUri: string | null | undefined;
  websiteUrl: string | null | undefined;
};

const ours = "must not be at an address of the platform: people would mistake the application for a part of it";

/** Throws for an unsafe address, and for one at our own origins, where a code would reach our own pages. */
export async function refuseAddresses(
  db: Kysely<AccountsTables>,
  { ownOrigins }: { ownOrigins: readonly string[] },
  { redirectUris = [], ...shown }: Addresses,
): Promise<void> {
  const taken = new Set([...ownOrigins, ...(await consoleOrigins(db))]);
  const problemAt = (url: string, problem: string | null): string | null =>
    problem ?? (taken.has(new URL(url).origin) ? ours : null);
  const issues = [
    ...redirectUris.map(
      (uri, index) => [`redirectUris.${index}`, problemAt(uri, findRedirectUriProblem(uri))] as const,
    ),
    ...Object.entries(shown).map(
      ([field, url]) => [field, url ? problemAt(url, findPublicUrlProblem(url)) : null] as const,
    ),
  ];
  const details = issues.flatMap(([field, issue]) => (issue === null ? [] : [{ field, issue }]));
  if (details.length > 0) {
    throw invalidFields(details);
  }
}

/** Each origin once. An indexed column stores them, because any request with an `Origin` header causes a look-up. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map((uri) => new URL(uri).origin))];
}

/** The identity provider registers the address of the console. */
async function consoleOrigins(db: Kysely<AccountsTables>): Promise<string[]> {
  const row = await db
    .selectFrom("oauth_applications")
    .select("redirect_uris")
    .where("id", "=", consoleApplication.id)
    .executeTakeFirst();
  return originsOf(row?.redirect_uris ?? []);
}
