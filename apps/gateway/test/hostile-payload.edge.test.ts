import { beforeAll, describe, expect, test } from "vitest";
import { hostilePayloads } from "./support/hostile-payloads.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";

describe("hostile payloads", () => {
  let key: string;

  const gateway = useGateway();
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });

  test.each(hostilePayloads)("%s: %i, in a short answer", async (_name, status, request) => {
    const answer = await gateway.call({ ...request, key });
    expect(answer.status).toBe(status);
    expectShort(answer);
  });

  test("nothing of it was stored, and the gateway serves on", async () => {
    expect(await gateway.call({ target: "/api/v1/wallets", key })).toMatchObject({ status: 200, json: { data: [] } });
  });
});

/** A response stays small however much was wrong: at most 20 details, each with a field name that is cut. */
function expectShort({ json: body, text }: Answer): void {
  const { error } = body as { error: { details?: unknown[] } };
  expect(error.details?.length ?? 0).toBeLessThanOrEqual(20);
  expect(text.length).toBeLessThan(6_000);
}
