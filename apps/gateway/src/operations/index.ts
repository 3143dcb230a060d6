import * as accounts from "./accounts/index.ts";
import * as custody from "./custody/index.ts";
import * as events from "./events/index.ts";
import * as execution from "./execution/index.ts";
import * as gateway from "./gateway/index.ts";
import * as identity from "./identity/index.ts";
import * as ledger from "./ledger/index.ts";
import * as marketData from "./market-data/index.ts";
import * as oracle from "./oracle/index.ts";
import * as orchestra from "./orchestra/index.ts";
import * as portfolio from "./portfolio/index.ts";
import type { OperationsOf, OperationTable } from "./operation.ts";

/** Every operation of the document, and no others. A missing operation does not compile. */
export const operationTable: OperationTable = {
  ...(accounts satisfies OperationsOf<"accounts">),
  ...(custody satisfies OperationsOf<"custody">),
  ...(events satisfies OperationsOf<"events">),
  ...(execution satisfies OperationsOf<"execution">),
  ...(gateway satisfies OperationsOf<"gateway">),
  ...(identity satisfies OperationsOf<"identity">),
  ...(ledger satisfies OperationsOf<"ledger">),
  ...(marketData satisfies OperationsOf<"marketData">),
  ...(oracle satisfies OperationsOf<"oracle">),
  ...(orchestra satisfies OperationsOf<"orchestra">),
  ...(portfolio satisfies OperationsOf<"portfolio">),
};
