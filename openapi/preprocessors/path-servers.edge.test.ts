import { expect, test } from "vitest";
import { runRedocly } from "../rules/testing/run-redocly.ts";

const responses = { "200": { description: "It." } };
const production = { url: "https://example.com", description: "Production" };
const sandbox = { url: "https://sandbox.example.com", description: "Sandbox", "x-sandbox": true };
const pots = { url: "https://pots.example.com", "x-service": "ledger" };
const sandboxPots = { url: "https://sandbox.pots.example.com", "x-service": "ledger", "x-sandbox": true };
const lids = { url: "https://lids.example.com", "x-service": "custody" };
const servers = [production, sandbox, pots, lids, sandboxPots];

test("a path gets the servers that have it, and one that is at the gateway alone gets none", async () => {
  const paths = {
    "/pots": { "x-service": "ledger", get: { responses } },
    "/lids": { "x-service": "custody", get: { responses } },
    "/spoons": { "x-service": "gateway", get: { responses } },
    "/sandbox/pots": { "x-service": "ledger", "x-sandbox": true, get: { responses } },
    "/sandbox/spoons": { "x-service": "gateway", "x-sandbox": true, get: { responses } },
  };
  const webhooks = { filled: { "x-service": "ledger", post: { responses } } };
  const info = { title: "Small", version: "1.0.0" };
  const files = { "small.json": { openapi: "3.1.1", info, servers, paths, webhooks } };
  // Redocly CLI writes the description that it has read.
  const bundle = JSON.parse(
    await runRedocly(["bundle", "small.json", "--ext=json"], { files }),
  ) as (typeof files)["small.json"];
  expect(bundle.paths).toMatchObject({
    "/pots": { servers: [production, sandbox, pots, sandboxPots] },
    "/lids": { servers: [production, sandbox, lids] },
    "/sandbox/pots": { servers: [sandbox, sandboxPots] },
    "/sandbox/spoons": { servers: [sandbox] },
  });
  expect(bundle.paths["/spoons"]).not.toHaveProperty("servers");
  expect(bundle.webhooks["filled"]).not.toHaveProperty("servers");
});
