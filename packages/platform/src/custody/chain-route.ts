import type { FactRoute } from "@gateway/engine/work";
import type { Deposits } from "./deposit.ts";
import type { Transfers } from "./transfer.ts";
import { depositSubjectOf } from "./read-deposit-fact.ts";
import { transferRoute } from "./transfer-work.ts";

type Called = { custody: { deposits: Deposits; transfers: Transfers } };

const depositRoute: FactRoute<Called> = {
  subjectOf: depositSubjectOf,
  apply: ({ custody }, fact) => custody.deposits.apply(fact),
};

/** A fact with a transfer id concerns one of our transfers. All other facts concern incoming money. */
export const chainRoute: FactRoute<Called> = {
  subjectOf: (content) => routeFor(content).subjectOf(content),
  apply: (services, fact) => routeFor(fact.content).apply(services, fact),
};

function routeFor(content: object): FactRoute<Called> {
  return "transferId" in content ? transferRoute : depositRoute;
}
