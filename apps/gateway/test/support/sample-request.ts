import { openapi, operations, type OperationPolicy } from "@gateway/contract";
import {
  ledgerAccountIdOf,
  maxOauthApplicationsOfAccount,
  maxPeopleOfAccount,
  maxWebhooksOfAccount,
  packRequests,
  postedOrThrow,
  termsOf,
  type Approval,
  type Delivery,
  type LoggedRequest,
  type KycVerification,
  type LedgerPlace,
  type Transfer,
  type Wallet,
  type Webhook,
} from "@gateway/platform";
import { createTypeId } from "@gateway/kernel";
import { randomBytes } from "node:crypto";
import type { TestGateway } from "./test-gateway.ts";

export type SampleRequest = { method: string; target: string; body?: object };

/** Whom a sample is made for, and the thing of theirs that it is about, when there is one already. */
export type Owner = Pick<TestGateway, "platform"> & {
  accountId: string;
  thing?: { id: string } | null;
  /** To make somebody owner since long ago, without whom nothing waits for an approval in production. */
  database?: TestGateway["database"];
};

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

const { paths, components } = openapi();

/**
 * A request that succeeds for the account, given the permission: the document's first example of it. What its ids name is made
 * for the account, its e-mail addresses and references are new, and its times lie as far from now as they do from the document's present.
 */
export async function sampleRequest(operation: OperationPolicy, owner: Owner): Promise<SampleRequest> {
  await makeRoom(operation, owner);
  const text = JSON.stringify({ method: operation.method.toUpperCase(), ...exampleOf(operation) });
  const current = text
    .replaceAll(/"reference":"[^"]+"/g, () => `"reference":"${randomBytes(6).toString("hex")}"`)
    .replaceAll(/[\w.+-]+@example\.com/g, freshAddress)
    .replaceAll(/(?<=\/rounds\/)\d+/g, () => String(Math.floor(Date.now() / 60_000) * 6 - 60))
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

async function createTransfer(owner: Owner, amount: number): Promise<Transfer> {
  const { id: walletId } = await createFundedCryptoWallet(owner);
  const { id: keyId } = await createSampleKey(owner);
  return owner.platform.transaction(({ custody }) =>
    custody.transfers.create({
      accountId: owner.accountId,
      initiatedBy: { kind: "apiKey", id: keyId },
      walletId,
      amount,
      destinationAddress: "0x52908400098527886e0f7030069857d2e4169ee7",
    }),
  );
}

/** What the policy of an account lets go out is spent by the samples before: so it lets go all, or nothing without an approval. */
async function setPolicy(
  { accountId, database }: Owner,
  rule: { action: "allow"; requiredApprovals: null } | { action: "require_approval"; requiredApprovals: number },
): Promise<void> {
  const next = {
    next_rules: JSON.stringify([{ currency: "any", minimumMinor: 0, destination: "any", ...rule }]),
    next_effective_at: new Date(0),
  };
  await database?.kysely
    .insertInto("transfer_policies")
    .values({ account_id: accountId, ...next })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(next))
    .execute();
}

async function createFreeTransfer(owner: Owner): Promise<Transfer> {
  await setPolicy(owner, { action: "allow", requiredApprovals: null });
  return createTransfer(owner, 1_000_000);
}

async function createApproval(owner: Owner): Promise<Approval> {
  await ageOwner(owner);
  await setPolicy(owner, { action: "require_approval", requiredApprovals: 1 });
  const { approvalId } = await createTransfer(owner, 1_000_000_000);
  const approval =
    approvalId && (await owner.platform.custody.approvals.get({ id: approvalId, accountId: owner.accountId }));
  if (!approval) {
    throw new Error("A transfer of the threshold needed no approval.");
  }
  return approval;
}

/** Those who own the account, or somebody new, count as owners. */
export async function ageOwner({ platform, accountId, database }: Owner): Promise<void> {
  if (!database) {
    return;
  }
  const email = freshAddress();
  await platform.transaction(async ({ accounts, auth }) => {
    if ((await accounts.people.listOwners(accountId)).length === 0) {
      const user = await auth.users.create({ email, name: "Sample", passwordHash: "none" });
      const { id: personId } = await accounts.people.invite({ accountId, email, role: "owner" });
      await accounts.people.join({ personId, userId: user?.id ?? "" });
    }
  });
  await database.kysely
    .updateTable("people")
    .set({ owner_since: new Date(0) })
    .where("account_id", "=", accountId)
    .where("role", "=", "owner")
    .execute();
}

function createSampleKey({ platform, accountId }: Owner): Promise<{ id: string }> {
  return platform.accounts.apiKeys.create({ accountId, name: "Sample", permission: "write", expiresAt: null });
}

/** With enough for any transfer of the samples. */
export async function createFundedCryptoWallet(owner: Owner): Promise<Wallet> {
  const wallet = await createCryptoWallet(owner);
  await fund(owner, wallet, 10_000_000_000);
  return wallet;
}

/** By the prefix of its id, how each thing is made that a path or a body names, the `nth` of its kind there. Only a new noun needs a line. */
const makers: Record<string, (owner: Owner, nth: number) => Promise<{ id: string }>> = {
  app: ({ platform, accountId }) =>
    platform.transaction(({ accounts }) =>
      accounts.oauthApplications.create({
        accountId,
        name: "Sample",
        redirectUris: ["https://app.example.com/callback"],
        scopes: ["openid", "read"],
      }),
    ),
  adb: ({ platform, accountId }) =>
    platform.custody.addressBook.create({
      accountId,
      network: "ethereum",
      address: "0x52908400098527886e0f7030069857d2e4169ee7",
      name: "Sample",
    }),
  apr: createApproval,
  aud: createAuditEvent,
  cpy: createCounterparty,
  dep: createDeposit,
  dlv: createDelivery,

  evt: async (owner) => ({ id: (await createDelivery(owner)).eventId }),
  key: ({ platform, accountId }) =>
    platform.accounts.apiKeys.create({ accountId, name: "Sample", permission: "read", expiresAt: null }),
  kyc: (owner) => createKycVerification(owner),
  lac: async (owner) => ({ id: await createFundedLedgerAccount(owner) }),
  ltx: createLedgerTransaction,
  ord: createOrder,
  pay: createPayment,
  req: createLoggedRequest,
  per: ({ platform, accountId }) =>
    platform.transaction(({ accounts }) =>
      accounts.people.invite({ accountId, email: freshAddress(), role: "viewer" }),
    ),
  trf: createFreeTransfer,
  val: createValuation,
  wal: createWallet,
  whk: createWebhook,
};

/** For operations of things that are in another state than new ones: how those are made. */
const makersFor: Readonly<Record<string, typeof makers>> = {
  decideKycVerification: {
    kyc: async (owner) => {
      const { id } = await createKycVerification(owner);
      await owner.platform.transaction(({ identity }) =>
        identity.verifications.simulate({ id, accountId: owner.accountId, outcome: "review_required" }),
      );
      return { id };
    },
  },
  createTransfer: {
    wal: async (owner) => {
      await setPolicy(owner, { action: "allow", requiredApprovals: null });
      return createFundedCryptoWallet(owner);
    },
  },
  deleteKycPersonalData: { kyc: (owner) => createKycVerification(owner, { expiresOn: "2001-01-31" }) },
  createPayment: { wal: createFundedWallet },
  createOrder: { wal: (owner, nth) => createTradingWallet(owner, nth === 0 ? "BTC" : "USD") },
  replaceOrder: { ord: createOpenOrder },
  createDepositAddress: { wal: createCryptoWallet },
  simulateDeposit: { wal: createAddressedWallet },
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
  const made: Record<string, number> = {};
  for (const [id, prefix = ""] of text.matchAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)) {
    if (replaced.includes(id)) {
      const make = makersFor[operationId]?.[prefix] ?? makers[prefix];
      if (!make) {
        throw new Error(`The sweeps do not know how to make what ${id} names: add a maker for ${prefix}.`);
      }
      const { [prefix]: nth = 0 } = made;
      made[prefix] = nth + 1;
      const thing = owner.thing?.id.startsWith(`${prefix}_`) ? owner.thing : await make(owner, nth);
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
  const ids = parameters.map((parameter) => resolve<Parameter>(parameter));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => ids.find((id) => id.name === name)?.example ?? "");
  const query = requiredQueryOf(operation).map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const target = query.length > 0 ? `${path}?${query.join("&")}` : path;
  const media = mediaTypeOf(operation);
  const [example] = Object.values(media?.examples ?? {});
  if (media && !example) {
    throw new Error(`The document has no example of what ${operation.operationId} takes.`);
  }
  return { target, ...(example && { body: resolve<{ value: unknown }>(example).value }) };
}

/** What stands behind the path in every request. */
function requiredQueryOf({ path, method }: OperationPolicy): Parameter[] {
  const { parameters = [] } = (paths[path]?.[method] ?? {}) as { parameters?: Reference[] };
  return parameters
    .map((parameter) => resolve<Parameter>(parameter))
    .filter((parameter) => parameter.in === "query" && parameter.required);
}

/** A target with more in its query. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
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
type Parameter = { name: string; in: string; required?: boolean; example: string };

/** What a reference of the bundled document points to; its reader says what that is. */
function resolve<T>({ $ref }: Reference): T {
  const [, , kind = "", name = ""] = $ref.split("/");
  return components[kind]?.[name] as T;
}

/** The ids in a path: `walletId`. What names a thing of nobody's, such as `symbol` or a round, is none. */
export function idParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(?!roundId)(\w+Id)\}/g), (match) => match[1] ?? "");
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
  if (service === "execution") {
    await makeRoomForOrder(owner);
  }
  if (path.includes("/positions/")) {
    await createPosition(owner);
  }
}

/** Of what the document's example asks for. A wallet of it may be there already, empty or of money that no seal is on yet. */
async function createPosition(owner: Owner): Promise<void> {
  const { platform, accountId } = owner;
  const wallet = { accountId, currency: "BTC" } as const;
  if (await platform.portfolio.positions.get(wallet)) {
    return;
  }
  await fund(owner, await platform.ledger.wallets.create({ ...wallet, name: "Sample", metadata: {} }), 1_000_000);
  await platform.ledger.seals.sealNow(accountId);
}

async function createLoggedRequest(owner: Owner): Promise<{ id: string }> {
  const [request] = await logRequests(owner, 1);
  return request ?? { id: "" };
}

/** As the gateway writes them. */
export async function logRequests({ platform, accountId }: Owner, count: number): Promise<{ id: string }[]> {
  const { writers } = platform.requestLog;
  // Of the application, where there is one: it sees no others.
  const [application] = (await platform.accounts.oauthApplications.list({ accountId, limit: 1 })).items;
  const requests = Array.from({ length: count }, () => sampleLoggedRequest(accountId, application?.id ?? null));
  const nowMs = Date.now();
  const writerId = writers.createWriterId();
  await writers.write({
    writerId,
    number: 1,
    takenAtMs: nowMs,
    completeBeforeMs: nowMs,
    requests: packRequests(requests),
    lost: [],
  });
  await writers.end(writerId);
  return requests;
}

function sampleLoggedRequest(accountId: string, applicationId: string | null): LoggedRequest {
  return {
    ...{ id: createTypeId("req"), accountId, method: "GET", path: "/api/v1/wallets", query: null },
    ...{ operationId: "listWallets", status: 200, code: null, durationMs: 1, source: "api", details: null },
    caller:
      applicationId === null
        ? { kind: "apiKey", id: createTypeId("key"), personId: null }
        : { kind: "application", id: applicationId, personId: createTypeId("per") },
    ...{ isReplayed: false, isAnswered: true, rateLimit: null, requestBytes: null, responseBytes: 2, userAgent: null },
  };
}

async function createValuation({ platform, accountId }: Owner): Promise<{ id: string }> {
  const prepared = await platform.portfolio.valuations.prepare({ accountId });
  return platform.portfolio.valuations.create({ accountId, externalId: null, metadata: {}, ...prepared });
}

/** An account has at most 200 orders that have not ended, and a sweep needs many. */
async function makeRoomForOrder({ platform, accountId }: Owner): Promise<void> {
  for (const status of ["accepted", "open"] as const) {
    const { items, nextCursor } = await platform.execution.orders.list({ accountId, status, limit: 90 });
    for (const { id: orderId } of nextCursor === null ? [] : items) {
      const fact = { type: "canceled", orderId, filledQuantityMinor: 0 } as const;
      await platform.transaction(({ work }) =>
        work.inbox.receive({ port: "venue", factId: `end of ${orderId}`, accountId, fact }),
      );
    }
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

function createCounterparty({ platform, accountId }: Owner): Promise<{ id: string }> {
  return platform.orchestra.counterparties.create({
    accountId,
    name: "Sample",
    currency: "EUR",
    accountNumber: "DE89370400440532013000",
  });
}

function createCryptoWallet({ platform, accountId }: Owner): Promise<Wallet> {
  return platform.ledger.wallets.create({ accountId, name: "Sample", currency: "USDC", metadata: {} });
}

async function createAddressedWallet(owner: Owner): Promise<Wallet> {
  const { platform, accountId } = owner;
  const wallet = await createCryptoWallet(owner);
  const address = `0x${randomBytes(20).toString("hex")}`;
  await platform.custody.depositAddresses.create({ accountId, walletId: wallet.id, address });
  return wallet;
}

async function createDeposit(owner: Owner): Promise<{ id: string }> {
  const { platform, accountId } = owner;
  const { id: walletId } = await createAddressedWallet(owner);
  return platform.transaction(({ custody }) =>
    custody.simulatedDeposits.see({ accountId, walletId, amountMinor: 5_000_000, address: null }),
  );
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

/** One whose document has expired is decided at once. */
function createKycVerification(
  { platform, accountId }: Owner,
  { expiresOn = "2096-01-31" } = {},
): Promise<KycVerification> {
  return platform.transaction(({ identity }) =>
    identity.verifications.create({
      accountId,
      reference: randomBytes(6).toString("hex"),
      subject: { givenName: "Sample", familyName: "Sample", birthDate: "1990-12-31", country: "DE", address: "Sample" },
      documents: [{ type: "passport", country: "DE", number: "SAMPLE", expiresOn }],
    }),
  );
}

/** What a wallet has available. */
async function createFundedLedgerAccount(owner: Owner): Promise<string> {
  const { id } = await createFundedWallet(owner);
  return ledgerAccountIdOf({ kind: "wallet", walletId: id, part: "available" }, owner.accountId);
}

async function fund({ platform, accountId }: Owner, { id, currency }: Wallet, amountMinor: number): Promise<void> {
  const available: LedgerPlace = { kind: "wallet", walletId: id, part: "available" };
  const funding = await platform.ledger.transactions.post({
    accountId,
    kind: "opening",
    cause: null,
    isUnderWay: false,
    entries: [
      { place: { kind: "clearing", currency, part: "equity" }, direction: "debit", amountMinor },
      { place: available, direction: "credit", amountMinor },
    ],
  });
  postedOrThrow(funding);
}

/** What a sample pays out of has something. */
async function createFundedWallet(owner: Owner): Promise<Wallet> {
  const wallet = await createWallet(owner);
  await fund(owner, wallet, 1_000_000);
  return wallet;
}

/** To a counterparty, so that it is not done at once; far from any limit. */
async function createPayment(owner: Owner): Promise<{ id: string }> {
  const { id: counterpartyId } = await createCounterparty(owner);
  const { id: walletId } = await createFundedWallet(owner);
  return owner.platform.transaction(({ orchestra }) =>
    orchestra.payments.create({
      accountId: owner.accountId,
      walletId,
      destination: { counterpartyId },
      amountMinor: 100,
      externalId: null,
      metadata: {},
    }),
  );
}

export async function createTradingWallet(owner: Owner, currency: "BTC" | "USD"): Promise<Wallet> {
  const { platform, accountId } = owner;
  const wallet = await platform.ledger.wallets.create({ accountId, name: "Sample", currency, metadata: {} });
  await fund(owner, wallet, 100_000_000);
  return wallet;
}

/** A limit buy of 0.1 BTC, far from any fill. */
async function createOrder(owner: Owner): Promise<{ id: string }> {
  const { platform, accountId } = owner;
  const baseWalletId = (await createTradingWallet(owner, "BTC")).id;
  const quoteWalletId = (await createTradingWallet(owner, "USD")).id;
  const wanted = { side: "buy", type: "limit", quantity: 10_000_000, limitPrice: "64250.50" } as const;
  const terms = termsOf("BTC-USD");
  if (!terms) {
    throw new Error("Nobody trades BTC-USD.");
  }
  const instrument = { ...terms, status: "trading" } as const;
  return platform.transaction(({ execution }) =>
    execution.orders.create({
      ...{ ...wanted, accountId, instrument, baseWalletId, quoteWalletId },
      ...{ externalId: null, metadata: {} },
    }),
  );
}

async function createOpenOrder(owner: Owner): Promise<{ id: string }> {
  const { id } = await createOrder(owner);
  const { accountId } = owner;
  await owner.platform.transaction(({ work }) =>
    work.inbox.receive({
      ...{ port: "venue", factId: `sample ${id}`, accountId },
      fact: { type: "accepted", orderId: id },
    }),
  );
  return { id };
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
