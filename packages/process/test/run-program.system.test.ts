import { ctrlC, findFreePort, startAtTerminal, startScript, type TestProcess } from "@gateway/testkit";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";

const running: TestProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.destroy()));
});

function start(behaviour: string, ports: readonly number[] = [0]): TestProcess {
  const program = startScript("packages/process/test/support/program.ts", [behaviour, ...ports.map(String)]);
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

  test("that comes while a start waits for ever abandons it", async () => {
    const program = start("endless start");
    await program.printed(/starting/);
    program.signal("SIGTERM");
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toBe("The start did not finish in time and was abandoned.\n");
    expect(program.stdout()).not.toContain("started");
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

describe("at a terminal", () => {
  test("Ctrl-C says what it waits for, and a second one stops at once", async () => {
    const terminal = startAtTerminal(`${process.execPath} packages/process/test/support/program.ts "slow stop" 0`);
    running.push(terminal);
    await terminal.printed(/started/);
    terminal.type(ctrlC);
    await terminal.printed(/Stopping; this waits for what is under way\. Ctrl-C again stops at once\./);
    expect(terminal.stdout()).not.toContain("stopped");
    terminal.type(ctrlC);
    expect(await terminal.exited).toBe(1);
    expect(terminal.stdout()).not.toContain("stopped");
  });
});

describe("arguments", () => {
  test.each(["--help", "-h"])(
    "%s prints what it does, its settings and an example, and ends with 0",
    async (argument) => {
      const program = start(argument);
      expect(await program.exited).toBe(0);
      expect(program.stdout()).toBe(`Usage: npm run program

Behaves.

Settings, from the environment:

  COLOUR
      Of the program
      Default: none

Example:

  COLOUR=red npm run program
`);
      expect(program.stderr()).toBe("");
    },
  );

  test("one that there is not ends with 2 and a line", async () => {
    const program = start("--colour=red");
    expect(await program.exited).toBe(2);
    expect(program.stderr()).toBe(
      "There is no argument --colour=red: npm run program takes --help alone, and settings from the environment.\n",
    );
    expect(program.stdout()).toBe("");
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

  test("all ports that are taken are named in one message, each with its own setting", async () => {
    const holders = await Promise.all([hold(), hold()]);
    const [first = 0, second = 0] = holders.map(portOf);
    const program = start("well", [first, await findFreePort(), second]);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toBe(
      `Port ${first} of 127.0.0.1 is taken by another program: set PROGRAM_PORT_1 to a free one.\n` +
        `Port ${second} of 127.0.0.1 is taken by another program: set PROGRAM_PORT_3 to a free one.\n`,
    );
    await Promise.all(holders.map((holder) => new Promise((resolve) => holder.close(resolve))));
  });
});

async function hold(): Promise<Server> {
  const holder = createServer();
  await once(holder.listen(0, "127.0.0.1"), "listening");
  return holder;
}

function portOf(server: Server): number {
  // It listens on TCP, so its address is of this kind.
  return (server.address() as AddressInfo).port;
}
