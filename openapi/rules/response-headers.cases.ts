import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const onEveryResponse = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const written = { schema: { type: "string" } };

export const cases: readonly Case[] = [
  ...onEveryResponse.map((header) => ({
    name: `a response without ${header}`,
    changes: [remove(`paths./pots.get.responses.200.headers.${header}`)],
    says: `Response 200 must refer to the header ${header}.`,
  })),
  without("401", "WWW-Authenticate"),
  without("429", "Retry-After"),
  without("503", "Retry-After"),
  {
    name: "a header that is written out again instead of referred to",
    changes: [set("paths./pots.get.responses.200.headers.X-Request-Id", written)],
    says: "Response 200 must refer to the header X-Request-Id.",
  },
];

function without(status: string, header: string) {
  return {
    name: `a ${status} without ${header}`,
    changes: [set(`paths./pots.get.responses.${status}`, { $ref: "#/components/responses/Refusal" })],
    says: `Response ${status} must refer to the header ${header}.`,
  };
}
