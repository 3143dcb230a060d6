import { openapi, operations, type OperationId, type OperationPolicy } from "@gateway/contract";
import {
  maxOauthApplicationsOfAccount,
  maxPeopleOfAccount,
  maxWebhooksOfAccount,
  type Delivery,
  type OauthApplication,
  type Person,
  type Platform,
  type Webhook,
} from "@gateway/platform";
import { randomBytes } from "node:crypto";

export type SampleRequest = { method: string; target: string; body?: object };

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

/** What each operation with a body takes. An operation of the document that is missing here fails every sweep. */
const bodies: Partial<Record<OperationId, object | (() => object)>> = {
  createApiKey: { name: "Sample", permission: "read" },
  createOauthApplication: { name: "Sample", redirectUris: ["https://app.example.com/callback"] },
  createWallet: { name: "Sample", currency: "EUR" },
  createWebhook: { url: "https://hooks.example.com/in", events: ["wallet.created"] },
  invitePerson: () => ({ email: freshAddress(), role: "viewer" }),
  replayDeliveries: { since: new Date().toISOString() },
  rollApiKey: { overlapSeconds: 3600 },
  rollWebhookSecret: { overlapSeconds: 3600 },
  sendTestEvent: { type: "payment.settled" },
  updateOauthApplication: { name: "Sample" },
  updatePerson: { role: "member" },
  updateWebhook: { description: "Sample" },
};

type Owner = { platform: Platform; accountId: string };

/** A request that succeeds for the account, given the permission. What its path names is made for it. */
export async function sampleRequest(operation: OperationPolicy, owner: Owner): Promise<SampleRequest> {
  if (operation.service === "events") {
    await makeRoomForWebhook(owner);
  }
  if (operation.path.includes("/oauth-applications")) {
    await makeRoomForApplication(owner);
  }
  if (operation.path.includes("/people")) {
    await makeRoomForPerson(owner);
  }
  const target = await fillPath(operation.path, owner);
  const body = sampleBodyOf(operation);
  return { method: operation.method.toUpperCase(), target, ...(body && { body }) };
}

/** A body that the operation takes, or undefined when it takes none. */
export function sampleBodyOf({ operationId, hasBody }: OperationPolicy): object | undefined {
  const body = bodies[operationId as OperationId];
  if (hasBody && !body) {
    throw new Error(`The sweeps have no body for ${operationId}: add it here.`);
  }
  return typeof body === "function" ? body() : body;
}

export type BodySchema = { properties: object; required?: string[]; minProperties?: number };

/** What the document says of the operation's body. */
export function bodySchemaOf({ path, method }: OperationPolicy): BodySchema {
  const { paths, components } = openapi();
  // Each body is one component, in JSON: the document's own style, and what is otherwise fails here.
  const documented = paths[path]?.[method] as
    | { requestBody: { content: { "application/json": { schema: { $ref: string } } } } }
    | undefined;
  const name = documented?.requestBody.content["application/json"].schema.$ref.replace("#/components/schemas/", "");
  return components["schemas"]?.[name ?? ""] as BodySchema;
}

/** The parameters of a path: `walletId`. */
export function pathParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? "");
}

async function fillPath(path: string, owner: Owner): Promise<string> {
  const [name] = /\{\w+\}/.exec(path) ?? [];
  return name === undefined ? path : fillPath(path.replace(name, await createNamed(name, owner)), owner);
}

/**
 * An account has a limited number of webhooks, and a sweep needs one for each request. What waited for the deleted ones goes
 * with them: else the gateway's maintenance would remove it at a moment of its own, between two dumps.
 */
async function makeRoomForWebhook({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.events.webhooks.list({ accountId, limit: maxWebhooksOfAccount, cursor: undefined });
  if (items.length > maxWebhooksOfAccount - 5) {
    await Promise.all(items.map(({ id }) => platform.events.webhooks.delete({ id, accountId })));
    await platform.events.retention.deleteDroppedDeliveries(10_000);
  }
}

async function makeRoomForApplication({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.oauthApplications.list({ accountId, limit: maxOauthApplicationsOfAccount });
  if (items.length > maxOauthApplicationsOfAccount - 5) {
    await Promise.all(items.map(({ id }) => platform.accounts.oauthApplications.delete({ id, accountId })));
  }
}

async function makeRoomForPerson({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.people.list({ accountId, limit: maxPeopleOfAccount });
  if (items.length > maxPeopleOfAccount - 5) {
    await Promise.all(items.map(({ id }) => platform.accounts.people.remove({ id, accountId })));
  }
}

async function createNamed(parameter: string, { platform, accountId }: Owner): Promise<string> {
  switch (parameter) {
    case "{walletId}":
      return (await platform.ledger.wallets.create({ accountId, name: "Sample", currency: "EUR", metadata: {} })).id;
    case "{apiKeyId}":
      return (
        await platform.accounts.apiKeys.create({ accountId, name: "Sample", permission: "read", expiresAt: null })
      ).id;
    case "{applicationId}":
      return (await createApplication({ platform, accountId })).id;
    case "{personId}":
      return (await invite({ platform, accountId })).id;
    case "{webhookId}":
      return (await createWebhook({ platform, accountId })).id;
    case "{deliveryId}":
      return (await createDelivery({ platform, accountId })).id;
    case "{eventId}":
      return (await createDelivery({ platform, accountId })).eventId;
    default:
      throw new Error(`The sweeps do not know how to make what ${parameter} names: add it here.`);
  }
}

function createApplication({ platform, accountId }: Owner): Promise<OauthApplication> {
  const redirectUris = ["https://app.example.com/callback"];
  return platform.transaction(({ accounts }) =>
    accounts.oauthApplications.create({ accountId, name: "Sample", redirectUris, scopes: ["openid", "read"] }),
  );
}

function invite({ platform, accountId }: Owner): Promise<Person> {
  return platform.transaction(({ accounts }) =>
    accounts.people.invite({ accountId, email: freshAddress(), role: "viewer" }),
  );
}

/** An account invites each address once. */
function freshAddress(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

function createWebhook({ platform, accountId }: Owner): Promise<Webhook> {
  const url = "https://hooks.example.com/in";
  return platform.transaction(({ events }) =>
    events.webhooks.create({ accountId, url, events: ["wallet.created"], description: null }),
  );
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
