import { enforcedOpenapi, exampleEvent, type EventType } from "@gateway/contract";
import { Resolver } from "node:dns/promises";
import type { LookupAddresses } from "./egress.ts";
import { createEventCheck, type EventCheck } from "./event-check.ts";
import { createWebhookUrlCheck } from "./webhook-url.ts";

/** What recording an event and registering a webhook are held against. */
export interface EventRules {
  /** Throws when the envelope does not fit the document's schema of its type. */
  checkEvent(type: EventType, envelope: object): void;
  /** `data.object` of the document's example of this type. */
  exampleObject(type: EventType): object;
  /** Why this URL may not receive events, in the words of a problem's detail, or null when it may. */
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
  /** The machine's name servers, unless a test brings its own. */
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

/** Asks DNS directly: `getaddrinfo` runs on four threads that a few slow name servers can keep from everybody else. */
function createLookupAddresses(): LookupAddresses {
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  };
}
