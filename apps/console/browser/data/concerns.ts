import type { OperationId, OperationRow } from "./operation-row.ts";

/** What can be followed: what happened in the account, and what its programs asked of the API. */
export type Topic = "events" | "requests";

/** Something was recorded. `types`: of events, each once; a request has none. */
export type News = { topic: Topic; types: readonly string[] };

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
  const patterns = types.flatMap((type) => concernedBy.find(([begin]) => type.startsWith(begin))?.[1] ?? []);
  return (operationId) => concernedByAll.test(operationId) || patterns.some((pattern) => pattern.test(operationId));
}

/** They share the books: what is done in one shows in the others. */
const ofMoney: readonly string[] = ["ledger", "custody", "orchestra", "execution", "portfolio"];

type Table = Readonly<Partial<Record<string, Pick<OperationRow, "service" | "sandboxOnly">>>>;

/** Says of an operation whether what it answers may be another since somebody did something, or tried to. */
export function concernsDone(operations: Table, done: OperationId): (operationId: string) => boolean {
  const groupOf = (id: string): string | undefined => {
    const service = operations[id]?.service;
    return ofMoney.includes(service ?? "") ? "money" : service;
  };
  // The clock moves everything, and a simulation stands for anybody.
  const isEverything = operations[done]?.sandboxOnly ?? false;
  return (operationId) => isEverything || groupOf(operationId) === groupOf(done);
}
