import { runStatement } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { comparable } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { ask } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { createWebhookClient, type EventBody } from "./support/webhook-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const sandboxOnly = allOperations.filter((operation) => operation.sandboxOnly);
const credentials = ["none", "admin"] as const;

let keys: Record<(typeof credentials)[number], Record<string, string>>;

describe("in production", () => {
  const { gateway, clock } = useGatewayAtNoon({ env: { ...behindProxy, LIVEMODE: "true" } });
  beforeAll(async () => {
    const account = await gateway.createAccount();
    keys = { none: {}, admin: { "X-API-Key": (await gateway.createKey(account, "admin")).secret } };
  });
  const freshClient = createFreshClients();

  const cases = sandboxOnly.flatMap(({ path }) =>
    ["GET", "POST"].flatMap((method) => credentials.map((credential) => ({ path, method, credential }))),
  );

  test.each(cases)(
    "$method $path with the credential $credential is answered as a path that never was",
    async ({ path, method, credential }) => {
      const headers = { ...freshClient(), ...keys[credential] };
      const target = path.replaceAll(/\{\w+\}/g, "x");
      const body = method === "POST" || method === "PUT" ? { seconds: 1 } : undefined;
      const found = await ask(gateway.port, { method, target, headers, body });
      const unknown = await ask(gateway.port, { method, target: target.replace("sandbox", "kxzqvwj"), headers, body });
      expect(found.status).toBe(404);
      expect(comparable(found)).toEqual(comparable(unknown));
    },
  );

  test("no clock is asked for and none is there: what happens has the real time", async () => {
    await runStatement(gateway.databaseUrl, "drop function hold_sandbox_clock");
    await runStatement(gateway.databaseUrl, "drop table sandbox_clocks");
    const owner = await createWebhookClient(gateway);
    const { id } = await owner.createWebhook();
    await owner.createWallet();
    await owner.ask("POST", `/webhooks/${id}/test`, { type: "kyc.verified" });
    const since = new Date(clock.now() - 60_000).toISOString();
    expect(await owner.ask("POST", `/webhooks/${id}/replay`, { since })).toMatchObject({ count: 0 });
    for (const { created } of await owner.listEvents()) {
      expect(Date.parse(created)).toBe(clock.now());
    }
  });
});

describe("in the sandbox", () => {
  test("the same operations are there, in the document under its one server, and what they move is seen", async () => {
    const sandbox = await startTestGateway();
    const owner = await createWebhookClient(sandbox);
    await owner.createWallet();
    expect(await owner.ask("GET", "/sandbox/clock")).toMatchObject({ aheadSeconds: 0 });
    await owner.ask("POST", "/sandbox/clock/advance", { seconds: 3600 });
    await owner.createWallet();
    const [later, earlier] = (await owner.listEvents()) as [EventBody, EventBody];
    expect(Date.parse(later.created) - Date.parse(earlier.created)).toBeGreaterThanOrEqual(3_600_000);
    await sandbox.stop();
  });
});
