import { operations } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import { readMetric, waitFor } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { type TestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

describe("the operator's port", () => {
  let key: string;

  const gateway = useGateway();
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "read")).secret;
  });

  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${gateway.metricsPort}${path}`);

  test.each(["/livez", "/readyz"])("%s answers 200 in plain text, and nobody may store it", async (path) => {
    const response = await ask(path);
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "ok\n" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("/metrics answers in the text format of Prometheus", async () => {
    const response = await ask("/metrics");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(await response.text()).toMatch(/^# TYPE gateway_requests_total counter$/m);
    // It is 0 for a moment when the confirmation comes late on a busy machine.
    await waitFor(async () => (await readMetric(gateway.metricsPort, "gateway_credential_listener_up")).get("") === 1);
  });

  test.each(["/livez", "/readyz", "/metrics"])("%s is not on the port of the API", async (path) => {
    expect(await gateway.call({ target: path, key })).toMatchObject(refused("NOT_FOUND"));
  });

  test("the API is not on the operator's port", async () => {
    expect(
      (await fetch(`http://127.0.0.1:${gateway.metricsPort}/api/v1/wallets`, { headers: { "X-API-Key": key } })).status,
    ).toBe(404);
  });

  test("every request is counted once, under its operation and its status", async () => {
    const read = async (): Promise<number> =>
      (await readMetric(gateway.metricsPort, "gateway_requests_total")).get('{operation="listWallets",status="200"}') ??
      0;
    const before = await read();
    for (let count = 0; count < 3; count += 1) {
      await gateway.call({ target: "/api/v1/wallets", key });
    }
    expect(await read()).toBe(before + 3);
  });

  test("200 unknown paths and 200 ids make no series of their own", async () => {
    const askOnce = async (text: string): Promise<void> => {
      await gateway.call({ target: `/${text}`, key });
      await gateway.call({ target: `/api/v1/wallets/${createTypeId("wal")}`, key });
      await gateway.call({ target: `/api/v1/wallets?${text}=1`, key });
    };
    await askOnce("first");
    const before = await seriesOf(gateway);
    for (let index = 0; index < 200; index += 1) {
      await askOnce(`unknown-${index}`);
    }
    expect(await seriesOf(gateway)).toEqual(before);
    const operationsSeen = before.map((labels) => /operation="([^"]*)"/.exec(labels)?.[1] ?? "none");
    expect(operationsSeen.filter((operation) => operation !== "none" && !(operation in operations))).toEqual([]);
  });
});

/** The gateway's own series: names with labels. */
async function seriesOf({ metricsPort }: TestGateway): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Array.from(text.matchAll(/^(gateway_\S+(?:\{.*\})?) \S+$/gm), ([, series = ""]) => series).toSorted();
}
