import { exampleEvent, type OpenApiDocument } from "@gateway/contract";
import { createWebhookUrlCheck, type EventRules, type LookupAddresses } from "@gateway/platform";
import { Resolver } from "node:dns/promises";
import { createEventCheck } from "./validation/event-check.ts";

export type EventRulesOptions = {
  webhookAllowedHosts: readonly string[];
  /** The machine's name servers, unless a test brings its own. */
  lookupAddresses?: LookupAddresses;
};

/** What the platform asks about events: the document answers for their shapes and examples, the network policy for URLs. */
export function createEventRules(document: OpenApiDocument, options: EventRulesOptions): EventRules {
  return {
    checkEvent: createEventCheck(document),
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
