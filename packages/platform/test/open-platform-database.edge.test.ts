import { createTestDatabase } from "@gateway/testkit";
import { sql } from "kysely";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openPlatformDatabase } from "../src/index.ts";

/** As a machine on which everything starts: what Postgres says to the first connection of that name comes so much later. */
async function startSlowWay(port: number, { name, delayMs }: { name: string; delayMs: number }): Promise<number> {
  const open = new Set<Socket>();
  let isFirst = true;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let waitMs = 0;
    near.once("data", (bytes: Buffer) => {
      if (isFirst && bytes.includes(name)) {
        isFirst = false;
        waitMs = delayMs;
      }
    });
    near.pipe(far);
    far.once("data", (bytes: Buffer) => {
      far.pause();
      setTimeout(() => {
        near.write(bytes);
        far.pipe(near);
      }, waitMs);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    open.forEach((socket) => socket.destroy());
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("a start waits longer for its first connection than a request does", async () => {
  const { url } = await createTestDatabase();
  const slow = new URL(url);
  slow.port = String(await startSlowWay(Number(slow.port), { name: "slow-start", delayMs: 1_500 }));
  const database = await openPlatformDatabase({
    url: slow.href,
    livemode: false,
    encryptionKeys: [randomBytes(32)],
    applicationName: "slow-start",
  });
  onTestFinished(() => database.close());
  const { rows } = await sql`select 1 as one`.execute(database.kysely);
  expect(rows).toEqual([{ one: 1 }]);
});
