import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTestClock, createTestDatabase, findFreePort, redisServer, startProcess, waitFor } from "../src/index.ts";

describe("a test database", () => {
  test("has the tables and none of another test's rows, and is gone once dropped", async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const insert = "insert into deployment (livemode) values (false)";
    await query(first.url, insert);

    expect(await query(second.url, "select * from deployment")).toEqual([]);
    await Promise.all([first.drop(), second.drop()]);
    await expect(query(first.url, insert)).rejects.toMatchObject({ code: "3D000" });
  });
});

describe("a test clock", () => {
  test("stands still until it is moved", () => {
    const clock = createTestClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);

    clock.advance(500);
    expect(clock.now()).toBe(1_500);
    clock.set(7);
    expect(clock.now()).toBe(7);
  });
});

describe("waitFor", () => {
  test("returns the first truthy answer, and a condition that throws counts as not yet", async () => {
    let calls = 0;
    const answer = await waitFor(() => {
      calls += 1;
      if (calls === 1) {
        throw new Error("not yet");
      }
      return calls === 3 ? "now" : null;
    });

    expect(answer).toBe("now");
  });

  test("gives up with the last error as the cause", async () => {
    const shortly = { timeoutMs: 30 };
    const waiting = waitFor(() => Promise.reject(new Error("why")), shortly);

    await expect(waiting).rejects.toMatchObject({ cause: { message: "why" } });
  });
});

describe("a Redis server", () => {
  test("answers, falls silent while paused, and can be killed and started again on its port", async ({ skip }) => {
    const redis = await redisServer();
    skip(redis === null);
    const server = redis as NonNullable<typeof redis>;
    onTestFinished(() => server.stop());
    const port = Number(new URL(server.url).port);
    expect(await ping(port)).toBe("+PONG");

    server.pause();
    await waitFor(async () => /^State:\s+T/m.test(await readFile(`/proc/${server.pid}/status`, "utf8")));
    const order: string[] = [];
    const asked = ping(port).then((answer) => order.push(answer));
    order.push("resumed");
    server.resume();
    await asked;
    expect(order).toEqual(["resumed", "+PONG"]);

    await server.kill9();
    await expect(ping(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const next = await redisServer({ port });
    expect(await ping(port)).toBe("+PONG");
    await next?.stop();
  });
});

test("a free port is listened on by nobody, and none that a system hands out by itself", async () => {
  const port = await findFreePort();
  await expect(ping(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(port).toBeGreaterThan(1024);
  expect(port).toBeLessThan(32_768);
});

test("processes of tests that look for ports at the same time never find the same, and each finds its own again at last", async () => {
  const source = JSON.stringify(new URL("../src/find-free-port.ts", import.meta.url).href);
  const script = `
    const { findFreePorts } = await import(${source});
    console.log(JSON.stringify([...(await findFreePorts(150)), ...(await findFreePorts(150))]));
    setInterval(() => {}, 1000);
  `;
  const others = Array.from({ length: 4 }, () =>
    startProcess(process.execPath, ["--input-type=module", "--eval", script]),
  );
  onTestFinished(async () => void (await Promise.all(others.map((other) => other.destroy()))));
  const found = await Promise.all(
    others.map(async (other) => JSON.parse((await other.printed(/^\[.*\]$/m))[0]) as number[]),
  );
  for (const ports of found) {
    expect(new Set(ports.slice(0, 150)).size).toBe(150);
  }
  const all = found.flatMap((ports) => [...new Set(ports)]);
  expect(new Set(all).size).toBe(all.length);
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function ping(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("error", reject);
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString().trim());
    });
  });
}
