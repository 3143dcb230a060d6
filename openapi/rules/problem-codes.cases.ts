import { set, type Change } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const codes = set("components.schemas.Refused.properties.error.properties.code", {
  type: "string",
  "x-codes": { POT_FULL: { status: 409 }, POT_LOST: { status: 404 } },
});
const names = (...listed: string[]): Change => set("paths./pots.post.x-problems", listed);

export const cases: readonly Case[] = [
  {
    name: "a code that is none",
    changes: [codes, names("POT_FULL", "POT_FUL"), shows("409", "POT_FULL")],
    says: "x-problems names POT_FUL, which is not a code of ErrorCode.",
  },
  {
    name: "a code that no response shows",
    changes: [codes, names("POT_FULL")],
    says: "The response 409 must show POT_FULL, which x-problems names.",
  },
  {
    name: "a code under the status of another",
    changes: [codes, names("POT_LOST"), shows("409", "POT_LOST")],
    says: "The response 404 must show POT_LOST, which x-problems names.",
  },
  {
    name: "a response with a code that is not listed",
    changes: [codes, names("POT_FULL"), shows("409", "POT_FULL", "POT_LOST")],
    says: "A response shows POT_LOST, which x-problems does not name.",
  },
  {
    name: "an operation that shows what it lists",
    changes: [codes, names("POT_FULL"), shows("409", "POT_FULL")],
    says: null,
  },
];

function shows(status: string, ...shown: string[]): Change {
  const examples = Object.fromEntries(shown.map((code) => [code, { value: { error: { code } } }]));
  return set(`paths./pots.post.responses.${status}`, {
    description: "no",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Refused" }, examples } },
  });
}
