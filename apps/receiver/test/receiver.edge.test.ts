import { appendFile, readFile } from "node:fs/promises";
import { createEnvelope, signPayload } from "@gateway/webhooks";
import { networkInterfaces } from "node:os";
import { waitFor } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startReceiver, type RunningReceiver } from "../src/app.ts";
import { makeDataFolder, type DataFolder } from "./support/data-folder.ts";
import { send } from "./support/https-client.ts";

const secretNamed = (name: string): string => `whsec_${name.padEnd(43, "0")}`;
const secret = secretNamed("known");
const onALine = secretNamed("on-a-line");
const inJson = secretNamed("in-json");
const event = createEnvelope({
  id: "evt_1",
  type: "wallet.created",
  created: new Date(),
  object: { id: "wal_1", name: "Zürich 💶" },
  livemode: false,
});
const body = JSON.stringify(event);

let data: DataFolder;
let receiver: RunningReceiver;
let lines: string[];
let ca: string;

const startOne = async (over: { secret?: string | null } = {}): Promise<RunningReceiver> => {
  const config = { port: 0, host: "localhost", secret, tlsFiles: null, dataDir: data.path, ...over };
  return startReceiver(config, { print: (line) => lines.push(line) });
};

beforeEach(async () => {
  data = await makeDataFolder();
  lines = [];
  receiver = await startOne();
  ca = await readFile(receiver.authorityFile ?? "", "utf8");
});

afterEach(async () => {
  await receiver.stop();
  await data[Symbol.asyncDispose]();
});

async function signature(over: Partial<Parameters<typeof signPayload>[0]> = {}): Promise<Record<string, string>> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return { "X-Service-Signature": await signPayload({ body, secrets: [secret], timestampSeconds, ...over }) };
}

const hasIpv6 = Object.values(networkInterfaces()).some((ones) => ones?.some(({ address }) => address === "::1"));

describe("the certificate", () => {
  test.each(["localhost", "127.0.0.1", ...(hasIpv6 ? ["[::1]"] : [])])(
    "a client that trusts the authority delivers to %s",
    async (host) => {
      const answer = await send(`https://${host}:${receiver.port}/`, { ca, headers: await signature(), body });

      expect(answer).toEqual({ status: 200, body: { received: true } });
      expect(lines).toEqual(["verified wallet.created evt_1"]);
    },
  );

  test("a client that does not trust it sends nothing", async () => {
    await expect(send(receiver.url, { headers: await signature(), body })).rejects.toThrow(/unable to (verify|get)/);

    await waitFor(() => lines.length > 0);
    expect(lines.join()).toMatch(/^refused: tls\. /);
  });

  test("plain HTTP gets no answer", async () => {
    await expect(fetch(`http://localhost:${receiver.port}/`, { method: "POST", body })).rejects.toThrow(/fetch failed/);
  });
});

test("a port that is taken is an error, and nothing is left listening", async () => {
  const taken = { port: receiver.port, host: "localhost", secret, tlsFiles: null, dataDir: data.path };
  await expect(startReceiver(taken, { print: () => {} })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

describe("secrets", () => {
  test("one appended to the file counts at the next delivery, as a line or as the answer that held it", async () => {
    const headers = await signature({ secrets: [onALine] });
    expect(await send(receiver.url, { ca, headers, body })).toMatchObject({ status: 400 });
    await appendFile(receiver.secretFile, `${onALine}\n`);
    expect(await send(receiver.url, { ca, headers, body })).toMatchObject({ status: 200 });

    await appendFile(receiver.secretFile, JSON.stringify({ data: { id: "wh_1", secret: inJson } }));
    const other = await signature({ secrets: [inJson] });
    expect(await send(receiver.url, { ca, headers: other, body })).toMatchObject({ status: 200 });
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["refused:", "verified", "verified"]);
  });

  test("that of the environment counts beside those of the file, which survive a restart", async () => {
    await appendFile(receiver.secretFile, `${onALine}\n`);
    await receiver.stop();
    receiver = await startOne();

    for (const used of [secret, onALine]) {
      const headers = await signature({ secrets: [used] });
      expect(await send(receiver.url, { ca, headers, body })).toMatchObject({ status: 200 });
    }
  });

  test("without any, a delivery is refused and the place for one is named", async () => {
    await receiver.stop();
    receiver = await startOne({ secret: null });

    const answer = await send(receiver.url, { ca, headers: await signature(), body });
    expect(answer).toEqual({ status: 400, body: { received: false, reason: "no_secret" } });
    expect(lines.at(-1)).toContain(receiver.secretFile);
  });
});

describe("what is refused, and never printed as verified", () => {
  const old = Math.floor(Date.now() / 1000) - 301;
  test.each<[string, number, () => Promise<{ headers?: Record<string, string>; body?: string; method?: string }>]>([
    ["missing", 400, async () => ({ body })],
    ["malformed", 400, async () => ({ headers: { "X-Service-Signature": "t=1" }, body })],
    ["mismatch", 400, async () => ({ headers: await signature(), body: `${body} ` })],
    ["expired", 400, async () => ({ headers: await signature({ timestampSeconds: old }), body })],
    ["not_an_event", 400, async () => ({ headers: await signature({ body: "{}" }), body: "{}" })],
    ["method", 405, async () => ({ method: "PUT", headers: await signature(), body })],
    ["body_too_large", 413, async () => ({ headers: await signature(), body: "x".repeat(1_048_577) })],
  ])("%s: %i", async (reason, status, input) => {
    const answer = await send(receiver.url, { ca, ...(await input()) });

    expect(answer).toEqual({ status, body: { received: false, reason } });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^refused: ${reason}\\. `))]);
    expect(lines.join()).not.toContain(secret);
  });

  test("a body of exactly 1 MiB is read", async () => {
    const answer = await send(receiver.url, { ca, headers: await signature(), body: "x".repeat(1_048_576) });
    expect(answer.body).toMatchObject({ reason: "mismatch" });
  });

  test("what an event says cannot steer the terminal", async () => {
    const steering = JSON.stringify({ ...event, id: "evt_\u001b[2J\nverified" });
    await send(receiver.url, { ca, headers: await signature({ body: steering }), body: steering });

    expect(lines).toEqual(["verified wallet.created evt_?[2J?verified"]);
  });
});
