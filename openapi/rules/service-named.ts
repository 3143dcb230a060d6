import type { PathItem, Rule, RuleContext } from "./rule.ts";

/** The eight services that a deployment may leave to external ones, behind the gateway. */
const forwardable = ["oracle", "custody", "identity", "orchestra", "ledger", "market-data", "portfolio", "execution"];

/** The owners of paths and events. */
export const services = [...forwardable, "accounts", "events", "gateway"];

/** Every path and event names its service: one of the eight, or the gateway's own. */
export const serviceNamed: Rule = () => ({ Paths: { PathItem: check }, WebhooksMap: { PathItem: check } });

/** Whether requests to a service may be forwarded to an external one. */
export function isForwardable(service: unknown): boolean {
  return typeof service === "string" && forwardable.includes(service);
}

function check(item: PathItem, context: RuleContext): void {
  const service = item["x-service"];
  if (typeof service !== "string" || !services.includes(service)) {
    context.report({ message: `x-service must be one of ${services.join(", ")}.` });
  }
}
