import { openapi, operations, type OperationPolicy } from "@gateway/contract";
import {
  ledgerAccountIdOf,
  maxOauthApplicationsOfAccount,
  maxPeopleOfAccount,
  maxWebhooksOfAccount,
  postedOrThrow,
  type Delivery,
  type LedgerPlace,
  type Platform,
  type Wallet,
  type Webhook,
} from "@gateway/platform";
import { randomBytes } from "node:crypto";

export type SampleRequest = { method: string; target: string; body?: object };

/** Whom a sample is made for, and the thing of theirs that it is about, when there is one already. */
export type Owner = { platform: Platform; accountId: string; thing?: { id: string } | null };

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

const { paths, components } = openapi();

/**
 * A request that succeeds for the account, given the permission: the document's first example of it. What its ids name is made
 * for the account, its e-mail addresses are new, and its times lie as far from now as they do from the document's present.
 */
export async function sampleRequest(operation: OperationPolicy, owner: Owner): Promise<SampleRequest> {
  await makeRoom(operation, owner);
  const text = JSON.stringify({ method: operation.method.toUpperCase(), ...exampleOf(operation) });
  const current = text
    .replaceAll(/[\w.+-]+@example\.com/g, freshAddress)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => new Date(Date.parse(time) + sinceDocument()).toISOString());
  // The text of a sample request, in which only texts were replaced.
  return JSON.parse(await replaceIds(current, owner, operation)) as SampleRequest;
}

/** One sample of each operation, made when it is first asked for: for requests that are refused, which use nothing up. */
export function createSharedSamples(
  sample: (operation: OperationPolicy) => Promise<SampleRequest>,
): (operation: OperationPolicy) => Promise<SampleRequest> {
  const samples = new Map<OperationPolicy, Promise<SampleRequest>>();
  return (operation) => {
    const shared = samples.get(operation) ?? sample(operation);
    samples.set(operation, shared);
    return shared;
  };
}

/** By the prefix of its id, how each thing is made that a path or a body names. Only a new noun needs a line. */
const makers: Record<string, (owner: Owner) => Promise<{ id: string }>> = {
  app: ({ platform, accountId }) =>
    platform.transaction(({ accounts }) =>
      accounts.oauthApplications.create({
        accountId,
        name: "Sample",
        redirectUris: ["https://app.example.com/callback"],
        scopes: ["openid", "read"],
      }),
    ),
  aud: createAuditEvent,
  cpy: ({ platform, accountId }) =>
    platform.orchestra.counterparties.create({
      accountId,
      name: "Sample",
      currency: "EUR",
      accountNumber: "DE89370400440532013000",
    }),
  dlv: createDelivery,
  evt: async (owner) => ({ id: (await createDelivery(owner)).eventId }),
  key: ({ platform, accountId }) =>
    platform.accounts.apiKeys.create({ accountId, name: "Sample", permission: "read", expiresAt: null }),
  lac: async (owner) => ({ id: await createFundedLedgerAccount(owner) }),
  ltx: createLedgerTransaction,
  per: ({ platform, accountId }) =>
    platform.transaction(({ accounts }) =>
      accounts.people.invite({ accountId, email: freshAddress(), role: "viewer" }),
    ),
  wal: createWallet,
  whk: createWebhook,
};

/** For operations of things that are in another state than new ones: how those are made. */
const makersFor: Readonly<Record<string, typeof makers>> = {
  unfreezeWallet: {
    wal: async (owner) => {
      const { id } = await createWallet(owner);
      await owner.platform.ledger.wallets.freeze({ id, accountId: owner.accountId });
      return { id };
    },
  },
};

/** The same id names the same thing wherever it stands. */
async function replaceIds(text: string, owner: Owner, { operationId }: OperationPolicy): Promise<string> {
  let replaced = text;
  for (const [id, prefix = ""] of text.matchAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)) {
    if (replaced.includes(id)) {
      const make = makersFor[operationId]?.[prefix] ?? makers[prefix];
      if (!make) {
        throw new Error(`The sweeps do not know how to make what ${id} names: add a maker for ${prefix}.`);
      }
      const thing = owner.thing?.id.startsWith(`${prefix}_`) ? owner.thing : await make(owner);
      replaced = replaced.replaceAll(id, thing.id);
    }
  }
  return replaced;
}

/** An account invites each address once. */
function freshAddress(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

/** The document's examples play on one day. */
function sinceDocument(): number {
  return Date.now() - Date.parse("2026-03-09T12:00:00Z");
}

function exampleOf(operation: OperationPolicy): { target: string; body?: unknown } {
  const { parameters = [] } = paths[operation.path] as { parameters?: Reference[] };
  const ids = parameters.map((parameter) => resolve<{ name: string; example: string }>(parameter));
  const target = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => ids.find((id) => id.name === name)?.example ?? "",
  );
  const media = mediaTypeOf(operation);
  const [example] = Object.values(media?.examples ?? {});
  if (media && !example) {
    throw new Error(`The document has no example of what ${operation.operationId} takes.`);
  }
  return { target, ...(example && { body: resolve<{ value: unknown }>(example).value }) };
}

export type BodySchema = { properties: object; required?: string[]; minProperties?: number };

/** What the document says of the operation's body. */
export function bodySchemaOf(operation: OperationPolicy): BodySchema {
  const media = mediaTypeOf(operation);
  if (!media) {
    throw new Error(`${operation.operationId} takes no body.`);
  }
  return resolve(media.schema);
}

/** Each body is one component, in JSON: the document's own style, and what is otherwise fails here. */
function mediaTypeOf({ path, method }: OperationPolicy): MediaType | undefined {
  const documented = paths[path]?.[method] as
    | { requestBody?: { content: { "application/json": MediaType } } }
    | undefined;
  return documented?.requestBody?.content["application/json"];
}

type MediaType = { schema: Reference; examples?: Record<string, Reference> };
type Reference = { $ref: string };

/** What a reference of the bundled document points to; its reader says what that is. */
function resolve<T>({ $ref }: Reference): T {
  const [, , kind = "", name = ""] = $ref.split("/");
  return components[kind]?.[name] as T;
}

/** The parameters of a path: `walletId`. */
export function pathParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? "");
}

async function makeRoom({ service, path }: OperationPolicy, owner: Owner): Promise<void> {
  if (service === "events") {
    await makeRoomForWebhook(owner);
  }
  if (path.includes("/oauth-applications")) {
    await makeRoomForApplication(owner);
  }
  if (path.includes("/people")) {
    await makeRoomForPerson(owner);
  }
}

/** An account has a limited number of webhooks, and a sweep needs many. */
async function makeRoomForWebhook({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.events.webhooks.list({ accountId, limit: maxWebhooksOfAccount, cursor: undefined });
  const spare = spareOf(items, maxWebhooksOfAccount);
  await Promise.all(spare.map((id) => platform.events.webhooks.delete({ id, accountId })));
}

async function makeRoomForApplication({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.oauthApplications.list({ accountId, limit: maxOauthApplicationsOfAccount });
  const spare = spareOf(items, maxOauthApplicationsOfAccount);
  await Promise.all(spare.map((id) => platform.accounts.oauthApplications.delete({ id, accountId })));
}

async function makeRoomForPerson({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.people.list({ accountId, limit: maxPeopleOfAccount });
  const spare = spareOf(items, maxPeopleOfAccount);
  await Promise.all(spare.map((id) => platform.accounts.people.remove({ id, accountId })));
}

/**
 * The ids of what may go when there is no room for five more. Ids sort by time: a test's credentials hang on the oldest, and the
 * newest are still in use.
 */
function spareOf(items: readonly { id: string }[], max: number): string[] {
  const ids = items.map(({ id }) => id).toSorted();
  return ids.length > max - 5 ? ids.slice(2, -5) : [];
}

function createWallet({ platform, accountId }: Owner): Promise<Wallet> {
  return platform.ledger.wallets.create({ accountId, name: "Sample", currency: "EUR", metadata: {} });
}

function createWebhook({ platform, accountId }: Owner): Promise<Webhook> {
  const url = "https://hooks.example.com/in";
  return platform.transaction(({ events }) =>
    events.webhooks.create({ accountId, url, events: ["wallet.created"], description: null }),
  );
}

/** Any change makes one. */
async function createAuditEvent({ platform, accountId }: Owner): Promise<{ id: string }> {
  const key = await platform.accounts.apiKeys.create({
    accountId,
    name: "Sample",
    permission: "read",
    expiresAt: null,
  });
  const { items } = await platform.audit.list({ accountId, resourceId: key.id, limit: 1 });
  const [event] = items;
  if (!event) {
    throw new Error(`The API key ${key.id} was made without an audit event.`);
  }
  return event;
}

/** What a wallet has available. */
async function createFundedLedgerAccount({ platform, accountId }: Owner): Promise<string> {
  const { id: walletId } = await platform.ledger.wallets.create({
    accountId,
    name: "Sample",
    currency: "EUR",
    metadata: {},
  });
  const available: LedgerPlace = { kind: "wallet", walletId, part: "available" };
  const funding = await platform.ledger.transactions.post({
    accountId,
    kind: "opening",
    cause: null,
    isUnderWay: false,
    entries: [
      { place: { kind: "clearing", currency: "EUR", part: "equity" }, direction: "debit", amountMinor: 1_000_000 },
      { place: available, direction: "credit", amountMinor: 1_000_000 },
    ],
  });
  postedOrThrow(funding);
  return ledgerAccountIdOf(available, accountId);
}

async function createLedgerTransaction(owner: Owner): Promise<{ id: string }> {
  const [from, to] = [await createFundedLedgerAccount(owner), await createFundedLedgerAccount(owner)];
  return owner.platform.ledger.transactions.create({
    accountId: owner.accountId,
    entries: [
      { ledgerAccountId: from, direction: "debit", amountMinor: 1 },
      { ledgerAccountId: to, direction: "credit", amountMinor: 1 },
    ],
    description: null,
    externalId: null,
    metadata: {},
  });
}

/** Of a test event: nothing needs to happen for it. */
async function createDelivery({ platform, accountId }: Owner): Promise<Delivery> {
  const { id: webhookId } = await createWebhook({ platform, accountId });
  const delivery = await platform.transaction(({ events }) =>
    events.deliveries.sendTest({ webhookId, accountId, type: "wallet.created" }),
  );
  if (!delivery) {
    throw new Error(`The webhook ${webhookId} is gone.`);
  }
  return delivery;
}
