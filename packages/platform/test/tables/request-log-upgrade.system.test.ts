import { expect, test } from "vitest";
import { upgradeRequestLog } from "./support/upgrade-request-log.ts";

test("refused requests of before are indexed while others write, and the table adopts what its days have", async () => {
  let written = 0;
  await upgradeRequestLog({ rows: 20_000, onWritten: () => (written += 1) });
  expect(written).toBeGreaterThan(0);
});
