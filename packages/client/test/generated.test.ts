import { operations } from "@gateway/contract";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readResources } from "../scripts/read-resources.ts";
import { generatedFolder, renderClient } from "../scripts/render-client.ts";

const resources = readResources();
const rendered = renderClient();

test.each(Object.keys(rendered))("%s is fresh", async (name) => {
  const text = await readFile(new URL(name, generatedFolder), "utf8").catch(() => "");
  expect(text === rendered[name], `${name} is stale: run "npm run generate" and commit what it writes.`).toBe(true);
});

test("the folder holds nothing else", async () => {
  expect((await readdir(generatedFolder)).sort()).toEqual(Object.keys(rendered).sort());
});

test("every operation of the document has its method", () => {
  const served = resources.flatMap(({ methods }) => methods.map(({ policy }) => policy.operationId));
  expect(served.sort()).toEqual(Object.keys(operations).sort());
});

test("a method has the name that the document gives it", () => {
  expect(resources.map(({ name, methods }) => `${name}: ${methods.map((method) => method.name).join(", ")}`)).toEqual(
    expect.arrayContaining([
      "account: get, update",
      "apiKeys: list, create, get, revoke, roll",
      "oauthApplications: list, create, get, update, delete",
      "sandbox.clock: get, advance",
      "people: list, invite, get, update, remove",
      "wallets: list, create, get, update, close, freeze, unfreeze",
      "webhooks: list, create, get, update, delete, disable, enable, getHealth, replayDeliveries, rollSecret, sendTestEvent",
    ]),
  );
});
