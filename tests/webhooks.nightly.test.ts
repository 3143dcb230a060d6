import { createTestFolder, waitFor } from "@gateway/testkit";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { npmStart, type LocalSystem } from "./support/local-system.ts";

test("a wallet's event is verified within a second of its 201", async () => {
  const dataDir = await createTestFolder();
  const system = await npmStart({ dataDir });
  onTestFinished(() => system.program.destroy());
  const url = `https://localhost:${system.env["RECEIVER_PORT"]}/`;
  const created = await post(system, "webhooks", { url, events: ["wallet.created"] });
  await appendFile(join(dataDir, "receiver-secrets"), created);
  const tookMs: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    tookMs.push(await measureDelivery(system, round));
  }
  console.log(`from the 201 of a wallet to its verified delivery: ${tookMs.map(Math.round).join(", ")} ms`);
  expect(Math.min(...tookMs)).toBeLessThan(1_000);
});

async function measureDelivery(system: LocalSystem, round: number): Promise<number> {
  const countVerified = (): number => system.program.stdout().match(/^verified wallet\.created evt_/gm)?.length ?? 0;
  const before = countVerified();
  await post(system, "wallets", { name: `Round ${round}`, currency: "EUR" });
  const answeredAt = performance.now();
  await waitFor(() => countVerified() > before, { intervalMs: 1 });
  return performance.now() - answeredAt;
}

async function post(system: LocalSystem, noun: string, body: object): Promise<string> {
  const key = /gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "";
  const answer = await fetch(`${system.api}/api/v1/${noun}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return answer.text();
}
