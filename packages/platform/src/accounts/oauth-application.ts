import type { AccountsDeps } from "./accounts-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem } from "@gateway/contract";
import { transaction } from "@gateway/database";
import { idPattern } from "@gateway/kernel";
import { isOwn, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import { refuseHiddenCharacters } from "@gateway/engine/hidden-characters";
import { prepareCreatedPages, walkIndex, type CreatedRequest } from "@gateway/engine/page";
import { originsOf, refuseAddresses } from "./application-addresses.ts";
import { consoleApplication } from "./console-application.ts";
import { countPeople } from "./count-people.ts";
import { revokeGrants } from "./grant.ts";
import { recordUses, type LastUse } from "./last-use.ts";
import { lockAccount } from "./lock-account.ts";
import { type OauthApplication, presentOauthApplication } from "./present-oauth-application.ts";
import type { Scope } from "./role.ts";
import { looksLikeOurs } from "./our-names.ts";
import type { AccountsTables } from "./tables.ts";

const consoleScopes: readonly Scope[] = ["openid", "email", "profile", "admin"];

export const maxOauthApplicationsOfAccount = 50;

/** `accountId` is null for the console. */
export type OauthClient = Pick<
  OauthApplication,
  "id" | "name" | "redirectUris" | "scopes" | "logoUri" | "websiteUrl"
> & {
  accountId: string | null;
};

/** A deleted application is null everywhere, like one of another account. */
export type OauthApplications = ReturnType<typeof createOauthApplications>;

type CreateInput = {
  accountId: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  logoUri?: string | undefined;
  websiteUrl?: string | undefined;
};

type UpdateInput = Own & {
  name?: string | undefined;
  redirectUris?: readonly string[] | undefined;
  scopes?: readonly Scope[] | undefined;
  logoUri?: string | null | undefined;
  websiteUrl?: string | null | undefined;
};

export function createOauthApplications(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  const listRows = prepareCreatedPages(db, () => selectLive(db), {
    name: "oauth-applications",
    cursors: deps.cursors,
    toItem: (row: Row) => row,
  });
  return {
    /** Refuses names with hidden characters, forbidden addresses, and one application too many. */
    create: (input: CreateInput) => transaction(db, (trx) => createApplication(trx, deps, input)),
    get: async (own: Own) => {
      const row = await selectOwn(db, own).executeTakeFirst();
      return row ? withPeople(db, row) : null;
    },
    list: async (request: CreatedRequest) => {
      const { items: rows, nextCursor } = await listRows(request);
      const counts = await countPeople(
        db,
        rows.map(({ id }) => id),
      );
      return { items: rows.map((row) => applicationOf(row, counts.get(row.id))), nextCursor };
    },
    recordUse: (uses: readonly LastUse[]) => recordUses(db, "oauth_applications", uses),
    /** Fields that are undefined stay unchanged. Grants remain, and their tokens may do no more than the new scopes. */
    update: (input: UpdateInput) => transaction(db, (trx) => updateApplication(trx, deps, input)),
    /** Revokes its grants. Returns the application as it was. */
    delete: (own: Own) => transaction(db, (trx) => deleteApplication(trx, deps, own)),
    /** Registers the console at this address only. Pages must not call with its tokens, so it has no origin. */
    registerConsole: ({ redirectUri }: { redirectUri: string }) => registerConsole(db, deps, redirectUri),
    /** For the identity provider: an application of any account. `id` may be any string. */
    findClient: async (id: string) => {
      // Postgres rejects a query for text with NUL.
      const isId = id === consoleApplication.id || idPattern("app").test(id);
      const row = isId ? await selectLive(db).where("id", "=", id).executeTakeFirst() : undefined;
      return row ? { ...applicationOf(row), accountId: row.account_id } : null;
    },
    /** Whether any application has a redirect URI at this origin (`https://app.example.com`). */
    hasOrigin: async (origin: string) => {
      // Materialized, because the planner otherwise expects to meet a row soon and reads the table.
      const { rows } = await sql`
        with found as materialized (
          select from oauth_applications where redirect_origins @> array[${origin}]::text[] and deleted_at is null
        )
        select from found limit 1
      `.execute(db);
      return rows.length > 0;
    },
    listOrigins: async (of?: { applicationId: string }) => {
      const { rows } = await sql<{ origin: string }>`
        select distinct unnest(redirect_origins) as origin from oauth_applications
        where deleted_at is null ${of ? sql`and id = ${of.applicationId}` : sql``}
      `.execute(db);
      return rows.map(({ origin }) => origin);
    },
  };
}

async function createApplication(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { accountId, name, redirectUris, scopes, logoUri, websiteUrl }: CreateInput,
): Promise<OauthApplication> {
  refuseName(name);
  await refuseAddresses(db, deps, { redirectUris, logoUri, websiteUrl });
  await refuseOverLimit(db, accountId);
  const row = await db
    .insertInto("oauth_applications")
    .values({
      id: deps.createId("app"),
      account_id: accountId,
      name,
      redirect_uris: [...redirectUris],
      redirect_origins: originsOf(redirectUris),
      scopes: [...scopes],
      logo_uri: logoUri ?? null,
      website_url: websiteUrl ?? null,
      created_at: new Date(deps.clock.now()),
      created_by: JSON.stringify(deps.origin.actor),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const application = applicationOf(row, 0);
  const after = presentOauthApplication(application);
  await deps.recordAudit(db, { accountId, type: "application.created", resourceId: row.id, after });
  return application;
}

async function updateApplication(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { id, accountId, name, redirectUris, scopes, logoUri, websiteUrl }: UpdateInput,
): Promise<OauthApplication | null> {
  refuseName(name ?? "");
  await refuseAddresses(db, deps, { redirectUris, logoUri, websiteUrl });
  const old = await selectOwn(db, { id, accountId }).forUpdate().executeTakeFirst();
  if (!old) {
    return null;
  }
  const row = await updateOwn(db, { id, accountId })
    .set({
      name: name ?? sql`name`,
      redirect_uris: redirectUris ? [...redirectUris] : sql`redirect_uris`,
      redirect_origins: redirectUris ? originsOf(redirectUris) : sql`redirect_origins`,
      scopes: scopes ? [...scopes] : sql`scopes`,
      logo_uri: logoUri === undefined ? sql`logo_uri` : logoUri,
      website_url: websiteUrl === undefined ? sql`website_url` : websiteUrl,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const application = await withPeople(db, row);
  const [before, after] = [applicationOf(old, application.peopleCount), application].map(presentOauthApplication);
  await deps.recordAudit(db, { accountId, type: "application.updated", resourceId: id, before, after });
  return application;
}

async function deleteApplication(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  own: Own,
): Promise<OauthApplication | null> {
  const row = await updateOwn(db, own)
    .set({ deleted_at: new Date(deps.clock.now()) })
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    return null;
  }
  const application = await withPeople(db, row);
  await revokeGrants(db, deps, { applicationId: row.id });
  const before = presentOauthApplication(application);
  await deps.recordAudit(db, { accountId: own.accountId, type: "application.deleted", resourceId: row.id, before });
  return application;
}

function selectOwn(db: Kysely<AccountsTables>, own: Own) {
  return selectLive(db).where(isOwn(own));
}

/** Each process of the identity provider does this at its start. It writes nothing when the row is already correct. */
async function registerConsole(
  db: Kysely<AccountsTables>,
  { clock }: AccountsDeps,
  redirectUri: string,
): Promise<void> {
  await db
    .insertInto("oauth_applications")
    .values({
      ...consoleApplication,
      account_id: null,
      redirect_uris: [redirectUri],
      redirect_origins: [],
      scopes: [...consoleScopes],
      created_at: new Date(clock.now()),
    })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(({ ref }) => ({
          redirect_uris: ref("excluded.redirect_uris"),
          scopes: ref("excluded.scopes"),
        }))
        .where(
          sql<boolean>`(oauth_applications.redirect_uris, oauth_applications.scopes) is distinct from (excluded.redirect_uris, excluded.scopes)`,
        ),
    )
    .execute();
}

function refuseName(name: string): void {
  refuseHiddenCharacters(name);
  if (looksLikeOurs(name)) {
    throw invalidField("name", "looks like the name of one of our applications: choose another");
  }
}

function selectLive(db: Kysely<AccountsTables>) {
  return db.selectFrom("oauth_applications").selectAll().where("deleted_at", "is", null);
}

function updateOwn(db: Kysely<AccountsTables>, own: Own) {
  return db.updateTable("oauth_applications").where(isOwn(own)).where("deleted_at", "is", null);
}

async function refuseOverLimit(db: Kysely<AccountsTables>, accountId: string): Promise<void> {
  await lockAccount(db, accountId);
  const own = walkIndex(selectLive(db), { of: { account_id: accountId }, most: maxOauthApplicationsOfAccount });
  if ((await own.execute()).length === maxOauthApplicationsOfAccount) {
    throw new Problem(
      "OAUTH_APPLICATION_LIMIT_REACHED",
      `The account has ${maxOauthApplicationsOfAccount} OAuth applications, which is the maximum. Delete one that is no longer needed first.`,
    );
  }
}

type Row = Selectable<AccountsTables["oauth_applications"]>;

async function withPeople(db: Kysely<AccountsTables>, row: Row): Promise<OauthApplication> {
  return applicationOf(row, (await countPeople(db, [row.id])).get(row.id));
}

function applicationOf(row: Row, peopleCount = 0): OauthApplication {
  // Only scopes of the document were ever stored.
  return { ...nounOf(row), scopes: row.scopes as Scope[], peopleCount };
}
