import type { PathItem, Rule, RuleContext } from "./rule.ts";

/** Who may own a path or an event. */
export const services = [
  "oracle",
  "custody",
  "identity",
  "orchestra",
  "ledger",
  "market-data",
  "portfolio",
  "execution",
  "accounts",
  "events",
  "gateway",
];

/** Every path and every event names the service that owns it: one of the eight, or the gateway's own: accounts, events, or itself. */
export const serviceNamed: Rule = () => ({ Paths: { PathItem: check }, WebhooksMap: { PathItem: check } });

function check(item: PathItem, context: RuleContext): void {
  const service = item["x-service"];
  if (typeof service !== "string" || !services.includes(service)) {
    context.report({ message: `x-service must be one of ${services.join(", ")}.` });
  }
}
