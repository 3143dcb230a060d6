import { enforcedOpenapi, eventTypes, exampleEvent } from "@gateway/contract";
import { ConfigurationError } from "@gateway/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGatewayConfig } from "../src/config.ts";
import { createEventCheck } from "@gateway/platform/events";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient } from "./support/webhook-client.ts";

describe("the check of events", () => {
  const check = createEventCheck(enforcedOpenapi());

  test.each(eventTypes)("takes the example of %s, and no field more, less or of another kind", (type) => {
    const event = exampleEvent(type);
    expect(() => check(type, event)).not.toThrow();
    expect(() => check(type, { ...event, extra: 1 })).toThrow("does not fit");
    expect(() => check(type, { ...event, created: "yesterday" })).toThrow("date-time");
    expect(() => check(type, { ...event, type: "wallet.exploded" })).toThrow("does not fit");
    expect(() => check(type, { ...event, data: { object: {} } })).toThrow("required");
    expect(() => check(type, { ...event, data: { object: { ...event.data.object, secretField: "hush" } } })).toThrow(
      "does not fit",
    );
  });

  test("names places and rules and repeats no value: its words end up in a log", () => {
    const event = { ...exampleEvent("wallet.created"), id: "evt_hush", livemode: "hush" };
    expect(() => check("wallet.created", event)).toThrow(/^(?!.*hush).*event\/id/);
  });
});

describe("hosts that are allowed although they are not public", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ env: { WEBHOOK_ALLOWED_HOSTS: "localhost, 127.0.0.1" } });
  });
  afterAll(() => gateway.stop());

  test("are taken in the sandbox, and nothing else that is private", async () => {
    const owner = await createWebhookClient(gateway);
    const events = ["wallet.created"];
    await owner.ask(201, "POST", "/webhooks", { url: "https://localhost:9443/hook", events });
    await owner.ask(201, "POST", "/webhooks", { url: "https://127.0.0.1:9443", events });
    for (const url of [
      "https://127.0.0.2:9443",
      "https://app.localhost",
      "https://localhost:22",
      "http://localhost:9443",
    ]) {
      expect(await owner.call("POST", "/webhooks", { url, events })).toMatchObject({ status: 400 });
    }
  });

  test("stop a production gateway from starting", () => {
    const env = {
      DATABASE_URL: "postgres://x",
      ENCRYPTION_KEYS: "MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXY=",
      WEBHOOK_ALLOWED_HOSTS: "localhost",
    };
    expect(readGatewayConfig(env).webhookAllowedHosts).toEqual(["localhost"]);
    expect(() => readGatewayConfig({ ...env, LIVEMODE: "true" })).toThrow(ConfigurationError);
  });
});
