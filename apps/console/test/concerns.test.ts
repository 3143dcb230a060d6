import { operations, type OperationId } from "@gateway/contract";
import { expect, test } from "vitest";
import { concerns, concernsDone } from "../browser/data/concerns.ts";

const all = Object.keys(operations) as OperationId[];

test("after an action what its service answers is asked for again, and of the five that share the books all", () => {
  const concernedBy = (done: OperationId): OperationId[] => all.filter(concernsDone(operations, done));
  expect(concernedBy("createApiKey")).toContain("listApiKeys");
  expect(concernedBy("createApiKey")).not.toContain("listWallets");
  expect(concernedBy("createPayment")).toEqual(expect.arrayContaining(["listWallets", "listOrders", "getPortfolio"]));
  expect(concernedBy("createPayment")).not.toContain("listWebhooks");
  expect(concernedBy("advanceSandboxClock")).toEqual(all);
});

test("each operation concerns itself, and of the five that share the books each concerns each", () => {
  const books: readonly string[] = ["ledger", "custody", "orchestra", "execution", "portfolio"];
  for (const done of all) {
    const isConcerned = concernsDone(operations, done);
    for (const other of all) {
      const areOfBooks = [done, other].every((one) => books.includes(operations[one].service));
      if (operations[done].service === operations[other].service || areOfBooks) {
        expect(isConcerned(other), `${done}, ${other}`).toBe(true);
      }
    }
  }
});

test("an event concerns what shows it, every event the lists of events and deliveries", () => {
  const told = all.filter(concerns({ topic: "events", types: ["payment.settled"] }));
  expect(told).toEqual(expect.arrayContaining(["listEvents", "listDeliveries", "getPayment", "listWallets"]));
  expect(told).not.toContain("listApiKeys");
  expect(all.filter(concerns({ topic: "requests", types: [] }))).toEqual(["listRequestLogs"]);
});
