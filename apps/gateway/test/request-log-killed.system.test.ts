import { createTypeId } from "@gateway/kernel";
import { moveDatabaseClock, waitFor } from "@gateway/testkit";
import { expect, onTestFinished, test } from "vitest";
import { askEndlessly, isToldOf, readWholeLog } from "./support/ask-endlessly.ts";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

/** Longer than a process may be silent before it counts as killed. */
const silentMs = 6_000;

/** A gateway that only reads the log of the killed processes, and serves no requests. */
async function startReader(): Promise<TestGateway> {
  const reader = await startTestGateway({ keepsStill: true });
  onTestFinished(() => reader.stop());
  return reader;
}

test("after each of four kills every request that was sent is listed, or lies in a gap", async () => {
  const reader = await startReader();
  const account = await reader.createAccount();
  const key = await reader.createKey(account, "read");
  const runs = [];
  // Some die before their first batch was written, some after several.
  for (const count of [1, 40, 150, 400]) {
    const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
    const asking = askEndlessly(port, key.secret);
    await waitFor(() => asking.sent.length >= count);
    program.signal("SIGKILL");
    await asking.stop();
    runs.push(asking.sent);
  }
  await moveDatabaseClock(reader.databaseUrl, { offsetMs: silentMs });
  const log = await readWholeLog(reader.platform, account.id);
  expect(runs.flat().filter((one) => !isToldOf(one, log))).toEqual([]);
  expect(log.ids.size).toBeGreaterThan(0);
  expect(log.gaps.length).toBeGreaterThan(0);
});

test("a process that is stopped in order loses nothing and leaves no gap", async () => {
  const reader = await startReader();
  const account = await reader.createAccount();
  const key = await reader.createKey(account, "read");
  const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
  const asking = askEndlessly(port, key.secret);
  await waitFor(() => asking.sent.length >= 300);
  program.signal("SIGTERM");
  await asking.stop();
  await program.exited;
  await moveDatabaseClock(reader.databaseUrl, { offsetMs: silentMs });

  const { ids, gaps } = await readWholeLog(reader.platform, account.id);
  const answered = asking.sent.flatMap(({ requestId }) => requestId ?? []);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(gaps).toEqual([]);
  expect((await readWholeLog(reader.platform, createTypeId("acc"))).gaps).toEqual([]);
});
