import { remove, set } from "./testing/change.ts";
import { smallDocument } from "./testing/small-document.ts";
import type { Case } from "./testing/lint.ts";

const url = "https://sandbox.example.com";
const servers = [
  { url: "https://example.com", description: "Production" },
  { url, description: "Sandbox", "x-sandbox": true },
];
const { paths } = smallDocument();
const path = "paths./sandbox/pots";
const item = () => ({
  "x-service": "gateway",
  "x-sandbox": true,
  get: { ...paths["/pots"].get, "x-client": "sandbox.pots.list", tags: ["Sandbox"] },
});
/** Each its own: a change in one must not show in another. */
const kept = () => [set("servers", servers), set(path, item())];

const marked = "Paths under /sandbox, and no others, must say x-sandbox: true.";
const tagged = "Operations of the sandbox, and no others, must have the tag Sandbox.";

export const cases: readonly Case[] = [
  { name: "a path of the sandbox", changes: kept(), says: null },
  {
    name: "a path under /sandbox that production has too",
    changes: [...kept(), remove(`${path}.x-sandbox`), set(`${path}.get.tags`, ["Pots"])],
    says: marked,
  },
  {
    name: "the same in an API with a version",
    changes: [set("paths./api/v1/sandbox/pots", { "x-service": "gateway" })],
    says: marked,
  },
  {
    name: "a path elsewhere that production has not",
    changes: [...kept(), set("paths./pots.x-sandbox", false)],
    says: marked,
  },
  { name: "an operation without the tag", changes: [...kept(), remove(`${path}.get.tags`)], says: tagged },
  { name: "the tag elsewhere", changes: [set("paths./pots.get.tags", ["Sandbox"])], says: tagged },
];
