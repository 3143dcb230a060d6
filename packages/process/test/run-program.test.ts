import { startScript, type TestProcess } from "@gateway/testkit";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";

const running: TestProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.destroy()));
});

function start(behaviour: string, port = 0): TestProcess {
  const program = startScript("packages/process/test/support/program.ts", [behaviour, String(port)]);
  running.push(program);
  return program;
}

describe("a signal", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s stops in order and ends with 0", async (name) => {
    const program = start("well");
    await program.printed(/started/);
    program.signal(name);
    expect(await program.exited).toBe(0);
    expect(program.stdout()).toContain("stopping\nstopped\n");
    expect(program.stderr()).toBe("");
  });

  test("that comes while everything is starting stops it as soon as it runs", async () => {
    const program = start("slow start");
    await program.printed(/starting/);
    program.signal("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(program.stdout()).toContain("started\nstopping\nstopped\n");
  });

  test("that comes second does not wait", async () => {
    const program = start("slow stop");
    await program.printed(/started/);
    program.signal("SIGTERM");
    await program.printed(/stopping/);
    program.signal("SIGINT");
    expect(await program.exited).toBe(1);
    expect(program.stdout()).not.toContain("stopped");
  });
});

describe("a failure ends with 1, and what the operator can change is said without a stack", () => {
  test.each([
    ["fault", /^The configuration has a fault:\n {2}- COLOUR is needed\n$/],
    ["no database", /^The database does not answer \(connect ECONNREFUSED 127.0.0.1:1\)\. Check DATABASE_URL\.\n$/],
    ["bug", /^TypeError: undefined is no function\n {4}at /],
    ["dies", /^Error: died\n {4}at /],
  ])("%s", async (behaviour, message) => {
    const program = start(behaviour);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toMatch(message);
  });

  test("a port that is taken is named with its own setting", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    // It listens on TCP, so its address is of this kind.
    const { port } = holder.address() as AddressInfo;
    const program = start("well", port);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toBe(
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Another program has this port: set PROGRAM_PORT to a free one.\n`,
    );
    await new Promise((resolve) => holder.close(resolve));
  });
});
