import type { FactRoute } from "../compose/fact-route.ts";
import { depositSubjectOf } from "./read-deposit-fact.ts";
import { transferRoute } from "./transfer-work.ts";

const depositRoute: FactRoute = {
  subjectOf: depositSubjectOf,
  apply: ({ custody }, fact) => custody.deposits.apply(fact),
};

/** What names a transfer of ours is of that; all else is of money that came in. */
export const chainRoute: FactRoute = {
  subjectOf: (content) => routeFor(content).subjectOf(content),
  apply: (services, fact) => routeFor(fact.content).apply(services, fact),
};

function routeFor(content: object): FactRoute {
  return "transferId" in content ? transferRoute : depositRoute;
}
