import type { FactRoute } from "@gateway/engine/work";
import type { Services } from "./may-call.ts";

export type FactRoutes = Readonly<Record<string, FactRoute<Services>>>;

/** Refuses a port without a service before its facts are stored, because they would stay parked forever. */
export function routeOf(routes: FactRoutes, port: string): FactRoute<Services> {
  const route = Object.hasOwn(routes, port) ? routes[port] : undefined;
  if (!route) {
    throw new Error(`No service takes facts of the port ${JSON.stringify(port)}.`);
  }
  return route;
}
