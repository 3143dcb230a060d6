import { changeCases } from "./change-cases.ts";
import { custodyCases } from "./custody-cases.ts";
import { deliveryCases } from "./delivery-cases.ts";
import { eventCases } from "./event-cases.ts";
import { kycCases } from "./kyc-cases.ts";
import { auditCases, ledgerCases } from "./ledger-cases.ts";
import { listCases } from "./list-cases.ts";
import { marketCases } from "./market-cases.ts";
import { movementCases } from "./movement-cases.ts";
import { oracleCases } from "./oracle-cases.ts";
import { orderCases } from "./order-cases.ts";
import { partCases } from "./parts.ts";
import { peopleCases } from "./people-cases.ts";
import { portfolioCases } from "./portfolio-cases.ts";
import { requestLogCases } from "./request-log-cases.ts";
import { timeCases } from "./time-cases.ts";
import { walletCases } from "./wallet-cases.ts";

/** Every list and look-up that a customer can cause. */
export const sources = [
  listCases,
  walletCases,
  eventCases,
  peopleCases,
  changeCases,
  timeCases,
  kycCases,
  marketCases,
  movementCases,
  oracleCases,
  orderCases,
  partCases,
  custodyCases,
  portfolioCases,
  requestLogCases,
  deliveryCases,
  ledgerCases,
  auditCases,
];
