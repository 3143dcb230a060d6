import type { Services } from "./may-call.ts";
import type { Fact, FactContent, FactVerdict } from "@gateway/engine/work";

/** Which service takes the facts of a port, and how. */
export type FactRoute = {
  /** What a fact is about: known before there is such a thing, for facts may come in any order. */
  subjectOf(content: FactContent): string;
  /**
   * Moves what the fact is about, with services that write in the transaction of its receipt. It locks that first, where there is such a
   * row, and keeps it locked whatever it answers.
   */
  apply(services: Services, fact: Fact): Promise<FactVerdict>;
};

/** By port. */
export type FactRoutes = Readonly<Record<string, FactRoute>>;

/** Facts of a port that nobody takes are refused at the door: parked, they would wait for ever. */
export function routeOf(routes: FactRoutes, port: string): FactRoute {
  const route = Object.hasOwn(routes, port) ? routes[port] : undefined;
  if (!route) {
    throw new Error(`No service takes facts of the port ${JSON.stringify(port)}.`);
  }
  return route;
}
