import type { News } from "./follow.ts";
import type { OperationId } from "./operation-row.ts";
import { operations } from "./operations.ts";

/** Which answers an event may have changed, by how the name of its type begins. */
const concernedBy: readonly (readonly [type: string, operations: RegExp])[] = [
  ["payment.", /Payment|Wallet|Ledger|Portfolio|Position/],
  ["kyc.", /Kyc/],
  ["custody.deposit.", /Deposit|Wallet|Ledger|Portfolio|Position/],
  ["custody.", /Transfer|Approval|Wallet|Ledger|Portfolio|Position/],
  ["wallet.", /Wallet|Ledger|Portfolio|Position/],
];

/** Every event is one more of these. */
const concernedByAll = /^(?:listEvents|listDeliveries|getDelivery|getWebhookHealth)$/;

/** Says of an operation whether what it answers may be another since the news. */
export function concerns({ topic, types }: News): (operationId: string) => boolean {
  if (topic === "requests") {
    return (operationId) => operationId === "listRequestLogs";
  }
  const patterns = types.flatMap((type) =>
    concernedBy
      .filter(([begin]) => type.startsWith(begin))
      .flatMap(([, operations], index) => (index === 0 ? [operations] : [])),
  );
  return (operationId) => concernedByAll.test(operationId) || patterns.some((pattern) => pattern.test(operationId));
}

/** They share the books: what is done in one shows in the others. */
const ofMoney: readonly string[] = ["ledger", "custody", "orchestra", "execution", "portfolio"];

/** Says of an operation whether what it answers may be another since somebody did something, or tried to. */
export function concernsDone(done: OperationId): (operationId: string) => boolean {
  const { service, sandboxOnly } = operations[done];
  if (sandboxOnly) {
    // The clock moves everything, and a simulation stands for anybody.
    return () => true;
  }
  return (operationId) => groupOf(operations[operationId as OperationId].service) === groupOf(service);
}

function groupOf(service: string): string {
  return ofMoney.includes(service) ? "money" : service;
}
