import { findEmbeddedUrl } from "@gateway/database";
import { createTestFolder, ctrlC, startAtTerminal, type TestProcess } from "@gateway/testkit";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localEnvironment } from "./support/local-system.ts";

let dataDir: string;
let terminal: TestProcess;
const key = /gk_test_\w+/;

beforeEach(async () => {
  dataDir = await createTestFolder();
  const env = await localEnvironment({ dataDir });
  terminal = startAtTerminal("npm start", { env: { ...env, TERM: "xterm" }, timeoutMs: 90_000 });
  // A terminal passes the welcome on in pieces, and one may end within the key. Its last line is a command.
  await terminal.printed(/Gateway runs \(sandbox\)[\s\S]*gk_test_\w+\s[\s\S]*^curl .*$/m);
});
afterEach(() => terminal.destroy());

function screen(): string {
  return stripVTControlCharacters(terminal.stdout()).replaceAll("\r\n", "\n").replaceAll(/^.*\r/gm, "");
}

test("npm start at a terminal shows a line a request, and Ctrl-C says what it waits for, once, and stops in order", async () => {
  const [, api = ""] = /API +(http:\S+)/.exec(screen()) ?? [];
  const [secret = ""] = key.exec(screen()) ?? [];
  const answer = await fetch(`${api}/wallets`, { headers: { "X-API-Key": secret } });
  expect(answer.status).toBe(200);
  await terminal.printed(/GET listWallets 200/);
  expect(screen()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}gateway GET listWallets 200 [\d.]+ ms requestId=req_\w+/m);
  terminal.type(ctrlC);
  await terminal.exited;
  expect(screen().match(/Stopping; this waits for .*/g)).toEqual([
    "Stopping; this waits for requests and deliveries in flight, then for Postgres. Ctrl-C again stops at once.",
  ]);
  expect(await findEmbeddedUrl(dataDir)).toBeNull();
});
