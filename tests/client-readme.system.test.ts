import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import { installPackedClient } from "./support/packed-client.ts";
import { readRepositoryFile, repository } from "./support/source-files.ts";

const run = promisify(execFile);

/**
 * The snippets of the client's README. All are type-checked. `use`, from the comment above a snippet, says how it is
 * run as well.
 */
const snippets = Array.from(
  readRepositoryFile("packages/client/README.md").matchAll(/(?:<!-- (?<use>\w+) -->\n)?```ts\n(?<text>[\s\S]*?)```/g),
  ({ groups }, index) => ({ name: `snippet-${index + 1}.ts`, use: groups?.["use"], text: groups?.["text"] ?? "" }),
);

/** The snippets call the sandbox, which is a gateway of the test here. */
const preload = `
  const call = globalThis.fetch;
  globalThis.fetch = (url, init) => call(String(url).replace("https://sandbox.api.gateway.example", process.env.GATEWAY_URL), init);
`;

const useOf: Record<string, (name: string) => string> = {
  run: (name) => `await import("./${name}");`,
  receiver: (name) => `
    import { receive } from "./${name}";
    import { event } from "./event.mjs";
    import { signTestPayload } from "gateway-api-client/webhooks";
    const post = async (secret) =>
      (await receive(new Request("https://r.example", { method: "POST", ...(await signTestPayload(event, secret)) }))).status;
    console.log(await post("whsec_right"), await post("whsec_wrong"));
  `,
  express: (name) => `
    import { app } from "./${name}";
    import { event } from "./event.mjs";
    import { signTestPayload } from "gateway-api-client/webhooks";
    const server = app.listen(0, "127.0.0.1", async () => {
      const url = "http://127.0.0.1:" + server.address().port + "/webhooks";
      const post = async (secret) => (await fetch(url, { method: "POST", ...(await signTestPayload(event, secret)) })).status;
      console.log(await post("whsec_right"), await post("whsec_wrong"));
      server.close();
      server.closeAllConnections();
    });
  `,
};

const event = `export const event = JSON.stringify({
  id: "evt_1", type: "payment.settled", created: "2026-03-09T11:47:03.550Z", livemode: false,
  data: { object: { id: "pay_1", amount: 1250, currency: "EUR", status: "settled" } },
});`;

let folder: string;
let gateway: TestGateway;
let apiKey: string;

beforeAll(async () => {
  ({ folder } = await installPackedClient("@types/node@24.19.2", "express@5.3.0", "@types/express@5.0.6"));
  await Promise.all(snippets.map(({ name, text }) => writeFile(join(folder, name), text)));
  await writeFile(join(folder, "event.mjs"), event);
  await writeFile(join(folder, "preload.mjs"), preload);
  gateway = await startTestGateway();
  apiKey = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
}, 120_000);
afterAll(() => gateway.stop());

test("the snippets are found, and those that can be run are", () => {
  expect(snippets.length).toBeGreaterThan(8);
  expect(snippets.filter(({ use }) => use !== undefined).length).toBeGreaterThan(6);
});

test("every snippet of the client's README type-checks against the packed client", async () => {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: "es2022",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    module: "nodenext",
    noEmit: true,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe("");
});

test.each(snippets.filter(({ use }) => use === "run"))("$name runs against a gateway", async ({ name, use = "" }) => {
  const { stdout } = await runUse(name, use);
  expect(stdout).not.toBe("");
});

test.each(snippets.filter(({ use }) => use === "receiver" || use === "express"))(
  "$name, the receiver ($use), takes an authentic delivery and refuses another",
  async ({ name, use = "" }) => {
    const { stdout } = await runUse(name, use);
    expect(stdout.trim().split("\n").at(-1)).toBe("204 400");
  },
);

async function runUse(name: string, use: string): Promise<{ stdout: string }> {
  const file = join(folder, `use-${name}.mjs`);
  await writeFile(file, useOf[use]?.(name) ?? "");
  const env = {
    ...process.env,
    GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
    GATEWAY_API_KEY: apiKey,
    WEBHOOK_SECRET: "whsec_right",
  };
  return run(process.execPath, ["--import", `file://${join(folder, "preload.mjs")}`, file], { env });
}
