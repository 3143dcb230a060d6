import { createTestFolder, startScript, waitFor } from "@gateway/testkit";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { npmStart, runShell, type LocalSystem } from "./support/local-system.ts";
import { readRepositoryFile } from "./support/source-files.ts";

/** The addresses and the file in README.md's lines that lead to a verified delivery. */
const ofReadme = {
  api: "http://127.0.0.1:8080",
  receiver: "https://localhost:8443/",
  secretFile: ".data/receiver-secrets",
};

let dataDir: string;
let system: LocalSystem;

afterEach(() => system.program.destroy());

async function start(env: Record<string, string> = {}): Promise<void> {
  dataDir = await createTestFolder();
  system = await npmStart({ dataDir, env });
}

test("README.md's three lines lead to verified deliveries on the screen, of a payment too until it has settled", async () => {
  await start();
  const [createWebhook = "", createWallet = "", pay = ""] = linesOfReadme();
  const secretFile = join(dataDir, "receiver-secrets");
  const shown = await runShell(asHere(createWebhook));
  const { secret } = dataOf(shown);
  expect(secret).toMatch(/^whsec_/);
  expect(await readFile(secretFile, "utf8")).toContain(secret);
  expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
  await runShell(asHere(createWallet));
  await system.program.printed(/^verified wallet\.created evt_[0-9a-z]{26}$/m);
  await runShell(asHere(pay));
  await system.program.printed(/^verified payment\.initiated evt_[0-9a-z]{26}$/m);
  await system.program.printed(/^verified payment\.settled evt_[0-9a-z]{26}$/m);
  // The secret was shown in the response, and nowhere else.
  expect(system.program.stdout() + system.program.stderr()).not.toContain("whsec_");
});

test("the lines that npm start prints are README.md's, with the key, the ids, the ports and the folder of this system", async () => {
  await start();
  const printed = system.program.stdout().split("\n");
  expect(printed).toEqual(expect.arrayContaining(linesOfReadme().map(asHere)));
});

test("a delivery of a webhook whose secret is unknown is refused, tried again sooner when told to, and verified in the end", async () => {
  await start({ RETRY_TIME_SCALE: "60" });
  const key = demoKey();
  expect(system.program.stdout()).toContain("Retries   60 times sooner");
  const created = await post("webhooks", { url: receiverUrl(), events: ["wallet.created"] }, key);
  await post("wallets", { name: "Payroll", currency: "EUR" }, key);
  await system.program.printed(/^refused: no_secret\. Put the secret of the webhook into .*receiver-secrets\.$/m);
  // A person may append a whole response of the API by hand, with the secret anywhere in it.
  await runShell(`printf %s '${created}' >> ${join(dataDir, "receiver-secrets")}`);
  await system.program.printed(/^verified wallet\.created evt_/m);
});

test("a webhook that fails warns its owner by mail: files in the data folder, and a line on the terminal for each", async () => {
  await start({ RETRY_TIME_SCALE: "100000" });
  const key = demoKey();
  await post("webhooks", { url: receiverUrl(), events: ["wallet.created"] }, key);
  await post("wallets", { name: "Payroll", currency: "EUR" }, key);
  const files = await waitFor(() => {
    const named = Array.from(
      system.program.stdout().matchAll(/^mail written to (?<file>\S+), because SMTP_URL is not set$/gm),
      ({ groups }) => groups?.["file"] ?? "",
    );
    return named.length === 2 ? named : null;
  });
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  expect(texts.map((text) => text.split("\n", 2))).toEqual([
    [
      "To: demo@gateway.example",
      "Subject: [sandbox] Deliveries to your webhook at " + new URL(receiverUrl()).host + " are failing",
    ],
    ["To: demo@gateway.example", expect.stringContaining("has failed and is no longer called")],
  ]);
});

test("the receiver runs alone, on the same folder", async () => {
  await start();
  system.program.signal("SIGTERM");
  await system.program.exited;
  const receiver = startScript("apps/receiver/src/main.ts", [], { env: system.env });
  try {
    await receiver.printed(/^The receiver waits for deliveries at https:\/\/localhost:\d+\/$/m);
    const authority = join(dataDir, "local-authority", "ca.pem");
    const answer = await runShell(`curl -s --cacert ${authority} -d '{}' ${receiverUrl()}`);
    expect(JSON.parse(answer)).toEqual({ received: false, reason: "no_secret" });
  } finally {
    receiver.signal("SIGTERM");
  }
  expect(await receiver.exited).toBe(0);
});

/** The lines between the markers in README.md. */
function linesOfReadme(): string[] {
  const block = /<!-- delivery -->\s*```sh\n(?<lines>[\s\S]*?)\n```/.exec(readRepositoryFile("README.md"));
  return block?.groups?.["lines"]?.split("\n") ?? [];
}

/** A line of README.md with the values of this system: the key, the ids, the ports, the folder. */
function asHere(line: string): string {
  return line
    .replaceAll("$KEY", demoKey())
    .replaceAll(/\b(?:wal|cpy)_\.\.\./g, (shown) => printedId(shown.slice(0, 4)))
    .replaceAll(ofReadme.api, system.api)
    .replaceAll(ofReadme.receiver, receiverUrl())
    .replaceAll(ofReadme.secretFile, join(dataDir, "receiver-secrets"));
}

function demoKey(): string {
  return /gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "";
}

function printedId(prefix: string): string {
  return new RegExp(`\\b${prefix}[0-9a-z]{26}\\b`).exec(system.program.stdout())?.[0] ?? "";
}

function receiverUrl(): string {
  return `https://localhost:${system.env["RECEIVER_PORT"]}/`;
}

/** Returns the text of the response unchanged. */
async function post(noun: string, body: object, key: string): Promise<string> {
  const answer = await fetch(`${system.api}/api/v1/${noun}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return answer.text();
}

function dataOf(answer: string): { secret: string } {
  return (JSON.parse(answer) as { data: { secret: string } }).data;
}
