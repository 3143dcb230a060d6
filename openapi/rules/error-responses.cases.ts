import { remove } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const onEveryOperation = ["400", "401", "403", "429", "431", "500", "503"];

export const cases: readonly Case[] = [
  ...onEveryOperation.map((status) => without("an operation", status, "/pots.get")),
  without("a path with a parameter", "404", "/pots/{potId}/fill.post"),
  without("an operation that may be forwarded", "502", "/pots.get"),
  without("an operation that may be forwarded", "504", "/pots.get"),
  without("a POST", "409", "/pots.post"),
  without("an operation with a body", "413", "/pots.post"),
  without("an operation with a body", "415", "/pots.post"),
];

function without(what: string, status: string, operation: string) {
  return {
    name: `${what} without ${status}`,
    changes: [remove(`paths.${operation}.responses.${status}`)],
    says: `The operation must declare the response ${status}.`,
  };
}
