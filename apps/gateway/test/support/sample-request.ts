import type { OperationPolicy } from "@gateway/contract";
import { randomBytes } from "node:crypto";
import { exampleOf } from "./document-request.ts";
import { accountsSamples } from "./samples/accounts.ts";
import { custodySamples } from "./samples/custody.ts";
import { eventsSamples } from "./samples/events.ts";
import { executionSamples } from "./samples/execution.ts";
import { identitySamples } from "./samples/identity.ts";
import { ledgerSamples } from "./samples/ledger.ts";
import { orchestraSamples } from "./samples/orchestra.ts";
import { portfolioSamples } from "./samples/portfolio.ts";
import { requestLogSamples } from "./samples/request-log.ts";
import { freshAddress, type Makers, type Owner } from "./samples/sample-owner.ts";

export type SampleRequest = { method: string; target: string; body?: object };

/** Each service defines how its nouns are made. */
const services = [
  accountsSamples,
  custodySamples,
  eventsSamples,
  executionSamples,
  identitySamples,
  ledgerSamples,
  orchestraSamples,
  portfolioSamples,
  requestLogSamples,
];
const makers: Makers = Object.assign({}, ...services.map((service) => service.makers));
const makersFor: Readonly<Record<string, Makers>> = Object.assign({}, ...services.map((service) => service.makersFor));

/**
 * A request of the account that succeeds, given the permission: the document's first example. Resources that its ids
 * name are created, and its e-mail addresses and references are new. Its times are as far from now as they are from the
 * document's present.
 */
export async function sampleRequest(operation: OperationPolicy, owner: Owner): Promise<SampleRequest> {
  for (const { makeRoom } of services) {
    await makeRoom?.(operation, owner);
  }
  const text = JSON.stringify({ method: operation.method.toUpperCase(), ...exampleOf(operation) });
  const current = text
    .replaceAll(/"reference":"[^"]+"/g, () => `"reference":"${randomBytes(6).toString("hex")}"`)
    .replaceAll(/[\w.+-]+@example\.com/g, freshAddress)
    .replaceAll(/(?<=\/rounds\/)\d+/g, () => String(Math.floor(Date.now() / 60_000) * 6 - 60))
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => new Date(Date.parse(time) + sinceDocument()).toISOString());
  // The text of a sample request, in which only texts were replaced.
  return JSON.parse(await replaceIds(current, owner, operation)) as SampleRequest;
}

/** One sample of each operation, made at its first use. For refused requests only, because these use nothing up. */
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

/** The same id names the same resource wherever it appears. */
async function replaceIds(text: string, owner: Owner, { operationId }: OperationPolicy): Promise<string> {
  let replaced = text;
  const made: Record<string, number> = {};
  for (const [id, prefix = ""] of text.matchAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g)) {
    if (replaced.includes(id)) {
      const make = makersFor[operationId]?.[prefix] ?? makers[prefix];
      if (!make) {
        throw new Error(`The samples do not know how to make what ${id} names: add a maker for ${prefix}.`);
      }
      const { [prefix]: nth = 0 } = made;
      made[prefix] = nth + 1;
      const thing = owner.thing?.id.startsWith(`${prefix}_`) ? owner.thing : await make(owner, nth);
      replaced = replaced.replaceAll(id, thing.id);
    }
  }
  return replaced;
}

/** Time since the one day on which the document's examples happen. */
function sinceDocument(): number {
  return Date.now() - Date.parse("2026-03-09T12:00:00Z");
}
