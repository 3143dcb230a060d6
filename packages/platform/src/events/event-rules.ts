import { enforcedOpenapi, exampleEvent, type EventType } from "@gateway/contract";
import { Resolver } from "node:dns/promises";
import type { LookupAddresses } from "./egress.ts";
import { createEventCheck, type EventCheck } from "./event-check.ts";
import { createWebhookUrlCheck } from "./webhook-url.ts";

/** Rules for recording an event and for registering a webhook. */
export interface EventRules {
  /** Throws when the envelope does not fit the document's schema of its type. */
  checkEvent(type: EventType, envelope: object): void;
  /** `data.object` of the document's example of this type. */
  exampleObject(type: EventType): object;
  /** The reason why this URL may not receive events, in the words of a problem's detail, or null when it may. */
  findWebhookUrlProblem(url: string): Promise<string | null>;
}

/** For processes that neither record events nor register webhooks: each rule throws. */
export const noEventRules: EventRules = {
  checkEvent: refuse,
  exampleObject: refuse,
  findWebhookUrlProblem: refuse,
};

function refuse(): never {
  throw new Error("This process was given no event rules, so it cannot record events or register webhooks.");
}

export type EventRulesOptions = {
  webhookAllowedHosts: readonly string[];
  /** The machine's name servers by default. */
  lookupAddresses?: LookupAddresses;
};

let checkEvent: EventCheck | undefined;

/** Compiles every schema, so that a mistake in the document stops the start. */
export function createEventRules(options: EventRulesOptions): EventRules {
  checkEvent ??= createEventCheck(enforcedOpenapi());
  return {
    checkEvent,
    exampleObject: (type) => exampleEvent(type).data.object,
    findWebhookUrlProblem: createWebhookUrlCheck({
      allowedHosts: options.webhookAllowedHosts,
      lookup: options.lookupAddresses ?? createLookupAddresses(),
    }),
  };
}

/** Queries DNS directly, because `getaddrinfo` runs on four threads that a few slow name servers can block. */
function createLookupAddresses(): LookupAddresses {
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}
