import { operations, type OperationId, type OperationPolicy } from "@gateway/contract";
import type { Platform } from "@gateway/platform";

export type SampleRequest = { method: string; target: string; body?: object };

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

/** What each operation with a body takes. An operation of the document that is missing here fails every sweep. */
const bodies: Partial<Record<OperationId, object>> = {
  createApiKey: { name: "Sample", permission: "read" },
  createWallet: { name: "Sample", currency: "EUR" },
  rollApiKey: { overlapSeconds: 3600 },
};

type Owner = { platform: Platform; accountId: string };

/** A request that succeeds for the account, given the permission. What its path names is made for it. */
export async function sampleRequest(operation: OperationPolicy, owner: Owner): Promise<SampleRequest> {
  const target = await fillPath(operation.path, owner);
  const sample = { method: operation.method.toUpperCase(), target };
  return operation.hasBody ? { ...sample, body: bodyOf(operation) } : sample;
}

/** The parameters of a path: `walletId`. */
export function pathParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? "");
}

async function fillPath(path: string, owner: Owner): Promise<string> {
  const [name] = /\{\w+\}/.exec(path) ?? [];
  return name === undefined ? path : fillPath(path.replace(name, await createNamed(name, owner)), owner);
}

async function createNamed(parameter: string, { platform, accountId }: Owner): Promise<string> {
  switch (parameter) {
    case "{walletId}":
      return (await platform.wallets.create({ accountId, name: "Sample", currency: "EUR", metadata: {} })).id;
    case "{apiKeyId}":
      return (await platform.apiKeys.create({ accountId, name: "Sample", permission: "read", expiresAt: null })).id;
    default:
      throw new Error(`The sweeps do not know how to make what ${parameter} names: add it here.`);
  }
}

function bodyOf({ operationId }: OperationPolicy): object {
  const body = bodies[operationId as OperationId];
  if (!body) {
    throw new Error(`The sweeps have no body for ${operationId}: add it here.`);
  }
  return body;
}
