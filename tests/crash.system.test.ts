import { createTestFolder, startScript, waitFor } from "@gateway/testkit";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killUnderLoad } from "./support/kill-under-load.ts";
import { localEnvironment, startLocal } from "./support/local-system.ts";

test("killed under load: each time it starts again, and every acknowledged wallet is there exactly once", async () => {
  await killUnderLoad({ afterWallets: [1, 150, 40] });
});

test("killed while its first database is being made: the next start is as if nothing had been", async () => {
  const dataDir = await createTestFolder();
  for (const sign of ["", "postgres", join("postgres", "postmaster.pid")]) {
    const program = startScript("apps/local/src/main.ts", [], { env: await localEnvironment({ dataDir }) });
    await waitFor(() => existsSync(join(dataDir, sign)), { intervalMs: 1 });
    await program.destroy();
  }
  const system = await startLocal({ dataDir });
  onTestFinished(() => system.program.destroy());
  const key = /gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "";
  const answer = await fetch(`${system.api}/api/v1/wallets`, { headers: { "X-API-Key": key } });
  expect(answer.status).toBe(200);
  system.program.signal("SIGTERM");
  expect(await system.program.exited).toBe(0);
});
