import { accountsOperations } from "./accounts/index.ts";
import { custodyOperations } from "./custody/index.ts";
import { eventsOperations } from "./events/index.ts";
import { executionOperations } from "./execution/index.ts";
import { gatewayOperations } from "./gateway/index.ts";
import { identityOperations } from "./identity/index.ts";
import { ledgerOperations } from "./ledger/index.ts";
import { marketDataOperations } from "./market-data/index.ts";
import { oracleOperations } from "./oracle/index.ts";
import { orchestraOperations } from "./orchestra/index.ts";
import { portfolioOperations } from "./portfolio/index.ts";
import type { OperationTable } from "./operation.ts";

/** Every operation of the document, and nothing else: one that is missing does not compile. */
export const operationTable: OperationTable = {
  ...accountsOperations,
  ...custodyOperations,
  ...eventsOperations,
  ...executionOperations,
  ...gatewayOperations,
  ...identityOperations,
  ...ledgerOperations,
  ...marketDataOperations,
  ...oracleOperations,
  ...orchestraOperations,
  ...portfolioOperations,
};
