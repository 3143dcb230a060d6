import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { createSimulatedPorts } from "@gateway/simulation";
import { issueAuthority, issueServerCertificate, type IssuedCertificate } from "@gateway/receiver/certificates";
import { behaviours } from "./behaviours.ts";
import { startEndpoint, type Endpoint } from "./endpoint.ts";
import type { Random } from "./random.ts";

export function openPlatform(database: PlatformDatabase, encryptionKey: Buffer): Platform {
  const cipher = createCipher([encryptionKey]);
  return createPlatform(database, {
    clock: systemClock,
    cipher,
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    livemode: false,
    createPorts: createSimulatedPorts,
    // The document and the network policy belong to the gateway, and a storm has neither.
    eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null },
  });
}

export async function createAccounts(
  platform: Platform,
  count: number,
  { requestsPerMinute = null }: { requestsPerMinute?: number | null } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const email = `storm-${number}@example.com`;
    const account = await platform.accounts.create({ email, tier: "growth", requestsPerMinute });
    ids.push(account?.id ?? "");
  }
  return ids;
}

const dayMs = 24 * 60 * 60 * 1000;

export function createAuthority(): Promise<IssuedCertificate> {
  return issueAuthority({
    commonName: "Storm",
    permitted: { dns: ["localhost"], ip: ["127.0.0.0/8"] },
    validity: validity(),
  });
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}

export type EndpointsOptions = {
  endpoints: number;
  platform: Platform;
  accountIds: readonly string[];
  random: Random;
  authority: IssuedCertificate;
  closeLater(close: () => Promise<unknown>): void;
};

/** Starts the endpoints. The keys are the ids of their webhooks. */
export async function startEndpoints(options: EndpointsOptions): Promise<Map<string, Endpoint>> {
  const { platform, accountIds, random, authority, closeLater } = options;
  const names = { dns: ["localhost"], ip: ["127.0.0.1"] };
  const certificate = await issueServerCertificate({ authority, names, validity: validity() });
  const endpoints = new Map<string, Endpoint>();
  for (const [index, behaviour] of behaviours.slice(0, options.endpoints).entries()) {
    const accountId = accountIds[index % accountIds.length] ?? "";
    const endpoint = await startEndpoint(behaviour, {
      certificate,
      random: random.stream(`endpoint ${index}`),
      accountId,
    });
    closeLater(() => endpoint.close());
    const { id, secret } = await platform.transaction(({ events }) =>
      events.webhooks.create({ accountId, url: endpoint.url, events: ["wallet.created"], description: behaviour.name }),
    );
    endpoint.useSecret(secret);
    endpoints.set(id, endpoint);
  }
  return endpoints;
}
