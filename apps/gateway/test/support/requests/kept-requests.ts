import { eventTypes, type OperationId } from "@gateway/contract";
import type { Edit } from "./mutated-request.ts";

type KeptEdit = Pick<Edit, "in" | "steps" | "values"> & Partial<Edit>;

/**
 * The first example of an operation with these changes. Kept because it failed once, or because a guarantee names
 * it.
 */
export type KeptRequest = { guarantee: string; operationId: OperationId; ampersands?: number; edits: KeptEdit[] };

const inBody = (path: string, value: unknown): KeptEdit => ({ in: "body", steps: path.split("."), values: [value] });
const inQuery = (name: string, ...values: string[]): KeptEdit => ({ in: "query", steps: [name], values });
const refused = (edit: KeptEdit, field = edit.steps.join(".")): KeptEdit => ({ ...edit, outcome: "refused", field });
const unstorable = (edit: KeptEdit): KeptEdit => ({ ...refused(edit), outcome: "unstorable" });

const wallet = (guarantee: string, ...edits: KeptEdit[]): KeptRequest => ({
  guarantee,
  operationId: "createWallet",
  edits,
});
const wallets = (guarantee: string, ...edits: KeptEdit[]): KeptRequest => ({
  guarantee,
  operationId: "listWallets",
  edits,
});
const membersOf = (count: number, value: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

/** A request that the property finds is added here, with the guarantee that it broke. */
export const keptRequests: readonly KeptRequest[] = [
  wallet("100 emoji, which are 200 units of UTF-16, are 100 characters", inBody("name", "💥".repeat(100))),
  wallet("101 emoji are too many", refused(inBody("name", "💥".repeat(101)))),
  wallet("50 entries of 500 emoji each are metadata", inBody("metadata", membersOf(50, "💥".repeat(500)))),
  wallet(
    "metadata keeps names that JavaScript's objects know",
    inBody("metadata", { constructor: "a", toString: "b", hasOwnProperty: "c", valueOf: "d" }),
  ),
  wallet("metadata has no member __proto__", refused(inBody("metadata.__proto__", "a"))),
  wallet("the body has no field __proto__", refused(inBody("__proto__", { name: "a" }))),
  ...["\u0001", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009f"].map((character) =>
    wallet(`a name holds no ${JSON.stringify(character)}`, refused(inBody("name", `a${character}`))),
  ),
  wallet("half of a surrogate pair is found at every depth", unstorable(inBody("metadata.key", "\ud800"))),
  wallet(
    "fields of the account, which a caller does not set, are named all at once",
    ...["accountId", "livemode", "status", "id"].map((name) => refused(inBody(name, "a"))),
  ),
  wallet(
    "all that is wrong is named in one answer, wherever it is",
    refused(inBody("name", "")),
    refused(inBody("currency", "eur")),
    refused(inBody("metadata.9k", "a")),
    refused({ in: "headers", steps: ["idempotency-key"], values: ["a b"] }, "Idempotency-Key"),
    refused(inQuery("dryRun", "true")),
  ),
  {
    ...wallets("an unknown parameter is found behind thousands of ampersands", refused(inQuery("surplus", "1"))),
    ampersands: 5000,
  },
  wallets("one of JavaScript's own names is an unknown parameter", refused(inQuery("__proto__", "1"))),
  wallets("a parameter is sent once, also with the same value", refused(inQuery("limit", "5", "5"))),
  wallets("a parameter of the query is no text of a number", refused(inQuery("limit", "1e1"))),
  {
    guarantee: "a moment may be a leap second",
    operationId: "listPayments",
    edits: [inQuery("createdAfter", "2016-12-31T23:59:60Z"), inQuery("createdBefore", "2016-12-31T15:59:60-08:00")],
  },
  {
    guarantee: "a webhook may ask for every type of event",
    operationId: "createWebhook",
    edits: [inBody("events", eventTypes)],
  },
  {
    guarantee: "a webhook asks for no type of event twice",
    operationId: "createWebhook",
    edits: [refused(inBody("events", [...eventTypes, eventTypes[0]]))],
  },
  {
    guarantee: "a field in an entry of a list is named with its place",
    operationId: "createLedgerTransaction",
    edits: [refused(inBody("entries.1.surplus", 1)), refused(inBody("entries.0.amount", 2 ** 53))],
  },
  {
    guarantee: "a number that JSON writes as 1e400 is not whole, and not within any limit",
    operationId: "createPayment",
    edits: [refused(inBody("amount", JSON.parse("1e400")))],
  },
];
