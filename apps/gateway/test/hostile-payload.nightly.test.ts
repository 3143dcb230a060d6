import { recordFigure } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { bestOf, cpuMsOf } from "./support/cpu-time.ts";
import { hostilePayloads } from "./support/hostile-payloads.ts";
import { useGateway } from "./support/use-gateway.ts";

const runs = 5;

describe("hostile payloads", () => {
  let key: string;

  const gateway = useGateway();
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
    // A warm-up, because code is compiled when it first runs, and that is not measured here.
    const refused = { method: "POST", target: "/api/v1/wallets", body: { name: "W", currency: "EUR", other: 1 }, key };
    await Promise.all(Array.from({ length: 50 }, () => gateway.call(refused)));
  });

  test.each(hostilePayloads)("%s: %i, for less than 50 ms of processor time", async (name, status, request) => {
    const costs: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { result, cpuMs } = await cpuMsOf(() => gateway.call({ ...request, key }));
      expect(result.status).toBe(status);
      costs.push(cpuMs);
    }
    recordFigure({ name: `processor time of ${name}`, value: bestOf(costs), unit: "ms" });
    expect(bestOf(costs)).toBeLessThan(50);
  });
});
