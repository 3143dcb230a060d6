import type { OperationId, OperationRow } from "./calls.ts";

/** The topics to follow: events of the account, and requests of its programs to the API. */
export type Topic = "events" | "requests";

/** New rows were recorded. `types` are those of the events, each once; a request has none. */
export type News = { topic: Topic; types: readonly string[] };

/** The operations whose responses an event may change, by the beginning of its type. */
const concernedBy: readonly (readonly [type: string, operations: RegExp])[] = [
  ["payment.", /Payment|Wallet|Ledger|Portfolio|Position/],
  ["kyc.", /Kyc/],
  ["custody.deposit.", /Deposit|Wallet|Ledger|Portfolio|Position/],
  ["custody.", /Transfer|Approval|Wallet|Ledger|Portfolio|Position/],
  ["wallet.", /Wallet|Ledger|Portfolio|Position/],
];

/** Every event adds to the responses of these operations. */
const concernedByAll = /^(?:listEvents|listDeliveries|getDelivery|getWebhookHealth)$/;

/** Returns a predicate for the operations whose responses the news may have changed. */
export function concerns({ topic, types }: News): (operationId: string) => boolean {
  if (topic === "requests") {
    return (operationId) => operationId === "listRequestLogs";
  }
  const patterns = types.flatMap((type) => concernedBy.find(([begin]) => type.startsWith(begin))?.[1] ?? []);
  return (operationId) => concernedByAll.test(operationId) || patterns.some((pattern) => pattern.test(operationId));
}

/** These services share the books, so a change in one shows in the others. */
const ofMoney: readonly string[] = ["ledger", "custody", "orchestra", "execution", "portfolio"];

type Table = Readonly<Partial<Record<string, Pick<OperationRow, "service" | "sandboxOnly">>>>;

/** Returns a predicate for the operations whose responses may change after a call of `done`, successful or not. */
export function concernsDone(operations: Table, done: OperationId): (operationId: string) => boolean {
  const groupOf = (id: string): string | undefined => {
    const service = operations[id]?.service;
    return ofMoney.includes(service ?? "") ? "money" : service;
  };
  // The clock moves everything, and a simulation may stand for any external system.
  const isEverything = operations[done]?.sandboxOnly ?? false;
  return (operationId) => isEverything || groupOf(operationId) === groupOf(done);
}
