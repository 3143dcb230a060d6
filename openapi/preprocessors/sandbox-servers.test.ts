import { expect, test } from "vitest";
import { runRedocly } from "../rules/testing/run-redocly.ts";

const responses = { "200": { description: "It." } };
const sandbox = { url: "https://sandbox.example.com", description: "Sandbox" };
const servers = [{ url: "https://example.com", description: "Production" }, sandbox];

test("a path of the sandbox gets the server that has it, and no other path gets any", async () => {
  const paths = {
    "/pots": { get: { responses } },
    "/sandbox/pots": { "x-sandbox": true, get: { responses } },
    "/sandbox/lids": { "x-sandbox": true, servers: [{ url: "https://lids.example.com" }], get: { responses } },
  };
  const files = { "small.json": { openapi: "3.1.1", info: { title: "Small", version: "1.0.0" }, servers, paths } };
  const bundle = JSON.parse(
    await runRedocly(["bundle", "small.json", "--ext=json"], { files }),
  ) as (typeof files)["small.json"];
  expect(bundle.paths).toMatchObject({
    "/sandbox/pots": { servers: [sandbox] },
    "/sandbox/lids": { servers: [{ url: "https://lids.example.com" }] },
  });
  expect(bundle.paths["/pots"]).not.toHaveProperty("servers");
});
