import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { waitFor, type DatabaseTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startMailServer, type TestMailServer } from "./support/mail-server.ts";
import { startReceiver, statuses, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type TestWebhook, type World } from "./support/world.ts";

let clock: DatabaseTestClock;
let world: World;
let receiver: TestReceiver;
let webhook: TestWebhook;

beforeEach(async () => {
  world = await createWorld({ standsStill: true });
  clock = world.clock;
  receiver = await startReceiver(await world.authority.issue());
  receiver.answerWith(statuses(503));
  webhook = await world.createWebhook({ url: `${receiver.url}?token=in-the-query` });
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
});

async function failTimes(count: number): Promise<void> {
  await world.send(webhook);
  for (let attempt = 1; attempt <= count; attempt += 1) {
    await waitFor(async () => (await world.attempts()).length === attempt);
    await clock.advance(13 * 60 * 60_000);
    await sql`select pg_notify('deliveries_due', '')`.execute(world.database.kysely);
  }
}

const isSent = async (count: number): Promise<boolean> =>
  (await world.mails()).filter((mail) => mail.due_at === null).length === count;

describe("the account is told in words that help", () => {
  test("a warning and an alert, as files where no mail server is set", async () => {
    await world.startDispatcher();
    await failTimes(6);
    await waitFor(() => isSent(2));
    const folder = join(world.folder, "mail");
    const files = (await readdir(folder)).toSorted();
    const [warning = "", alert = ""] = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    expect(files).toHaveLength(2);
    expect((await stat(join(folder, files[0] ?? ""))).mode & 0o777).toBe(0o600);
    expect(warning).toContain(
      `To: ${webhook.accountId}@example.com\nSubject: [sandbox] Deliveries to your webhook at localhost:${receiver.port} are failing`,
    );
    // The world's clock does not move, so the recorded time is too early by the duration of the attempt, 5 s at most.
    expect(warning).toMatch(/Failing since: 2025-12-31T23:59:5\d\.\d{3}Z\nLast response: status 503/);
    expect(alert).toContain(`POST /api/v1/webhooks/${webhook.id}/enable`);
    for (const text of [warning, alert]) {
      expect(text).toContain(`Host: localhost:${receiver.port}`);
      expect(text).not.toMatch(/whsec_|token|\/hooks/);
    }
    expect(world.logLines.join("")).toContain("SMTP_URL is not set");
  });
});

describe("with a mail server", () => {
  let server: TestMailServer;

  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.close());

  test("it goes to the account's address, once, also with two dispatchers", async () => {
    await Promise.all([world.startDispatcher({ env: server.env }), world.startDispatcher({ env: server.env })]);
    await failTimes(3);
    await waitFor(() => isSent(1));
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ from: "alerts@gateway.test", to: [`${webhook.accountId}@example.com`] });
    expect(server.received[0]?.data).toContain("Subject: [sandbox] Deliveries to your webhook");
  });

  test("a mail that is refused goes later, after growing waits", async () => {
    server.refuse(2);
    await world.startDispatcher({ env: server.env });
    await failTimes(3);
    // The clock was moved past the first waits while the attempts failed. From here it moves a minute at a time.
    await waitFor(async () => {
      await clock.advance(60_000);
      return isSent(1);
    });
    expect(server.received).toHaveLength(1);
    expect(world.logLines.filter((line) => line.includes("a mail was not sent"))).toHaveLength(2);
  });

  test("a deleted webhook's mail is not sent", async () => {
    server.refuse(1);
    await world.startDispatcher({ env: server.env });
    await failTimes(3);
    await waitFor(() => server.refusals() === 0);
    await sql`update webhooks set deleted_at = now()`.execute(world.database.kysely);
    await waitFor(async () => {
      await clock.advance(60_000);
      return isSent(1);
    });
    expect(server.received).toEqual([]);
  });
});
