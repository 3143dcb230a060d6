import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createCipher, createTypeIds } from "@gateway/kernel";
import { createUserMails, type UserMail, type UserMails } from "@gateway/platform/mails";
import { waitFor, type DatabaseTestClock } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeUserMail } from "../src/mail/user-mail-text.ts";
import { startMailServer, type TestMailServer } from "./support/mail-server.ts";
import { createWorld, type World } from "./support/world.ts";

const hourMs = 3_600_000;
const url = "https://auth.example/password/reset?token=secret-of-the-link";
const reset: UserMail = { kind: "password_reset", url };

describe("mails to users", () => {
  let clock: DatabaseTestClock;
  let world: World;
  let server: TestMailServer;
  let mails: UserMails;

  beforeEach(async () => {
    world = await createWorld({ standsStill: true });
    clock = world.clock;
    server = await startMailServer();
    const cipher = createCipher([Buffer.from(world.env["ENCRYPTION_KEYS"] ?? "", "base64")]);
    mails = createUserMails(world.database.kysely, { clock, createId: createTypeIds(clock), cipher });
  });
  afterEach(async () => {
    await world.stop();
    await server.close();
  });

  const areDone = async (count: number): Promise<boolean> =>
    (await world.mails()).filter((mail) => mail.due_at === null).length === count;

  test("reach an address that belongs to no account, with the link whole and alone on its line", async () => {
    await world.startDispatcher({ env: server.env });
    await mails.queue("new@example.com", reset);
    await waitFor(() => server.received.length === 1);
    expect(server.received[0]?.to).toEqual(["new@example.com"]);
    const data = server.received[0]?.data.replaceAll("=\r\n", "").replaceAll("=3D", "=") ?? "";
    expect(data).toContain("Subject: [sandbox] Choose a new password");
    expect(data).toContain(`\r\n${url}\r\n`);
    expect(data).toContain("until 2026-01-01 01:00 UTC");
  });

  test("are written as files where no mail server is set, and no log line holds their link", async () => {
    await world.startDispatcher();
    await mails.queue("new@example.com", reset);
    await waitFor(() => areDone(1));
    const [file = ""] = await readdir(join(world.folder, "mail"));
    const text = await readFile(join(world.folder, "mail", file), "utf8");
    expect(text).toContain("To: new@example.com\nSubject: [sandbox] Choose a new password");
    expect(text).toContain(url);
    expect(world.logLines.join("")).toContain("password_reset");
    expect(world.logLines.join("")).not.toContain("secret-of-the-link");
  });

  test("lie in the database without their link in the clear", async () => {
    await mails.queue("new@example.com", reset);
    const row = await world.database.kysely.selectFrom("mails").selectAll().executeTakeFirstOrThrow();
    expect(row.content?.toString("latin1")).not.toMatch(/secret-of-the-link|auth\.example/);
  });

  test("stay behind while they cannot be sent, and are not sent once their link has run out", async () => {
    server.refuse(1);
    await world.startDispatcher({ env: server.env });
    await mails.queue("new@example.com", reset);
    await waitFor(() => server.refusals() === 0);
    // The time of the next attempt may count from before the clock moves, or after it.
    await waitFor(async () => {
      await clock.advance(hourMs);
      return areDone(1);
    });
    expect(server.received).toEqual([]);
  });

  test("are sent up to the last moment of their link", async () => {
    await mails.queue("new@example.com", reset);
    await clock.advance(hourMs - 1);
    await world.startDispatcher({ env: server.env });
    await waitFor(() => areDone(1));
    expect(server.received).toHaveLength(1);
  });
});

describe("the text of each mail", () => {
  const kinds: UserMail[] = [
    { kind: "sign_up", url },
    { kind: "sign_up_known", url },
    { kind: "password_reset", url },
    { kind: "password_changed", url },
    { kind: "email_change", url },
    { kind: "email_changed", url },
    { kind: "account_closed", url, accountEmail: "owner@example.com" },
    { kind: "account_email", url, accountEmail: "owner@example.com" },
    { kind: "passkey_added", url, passkeyName: "Phone" },
    { kind: "invitation", url, accountEmail: "owner@example.com", role: "owner" },
  ];

  test.each(kinds)("$kind: link alone on its line, what to do if it was not you", (mail) => {
    const { subject, text } = writeUserMail(mail, { livemode: true, createdAt: new Date(0) });
    expect(subject).not.toContain("[sandbox]");
    expect(text.split("\n")).toContain(url);
    expect(text).toMatch(/not ask for this|^Not you\?|not know the account/m);
    if (["sign_up", "password_reset", "invitation", "email_change", "account_email"].includes(mail.kind)) {
      expect(text).toMatch(/works once, until 1970-01-0\d \d\d:\d\d UTC/);
    }
  });

  const clientAddress = "203.0.113.7";
  const by = "the API key key_1";
  const notices: UserMail[] = [
    {
      kind: "admin_key_created",
      accountEmail: "a@example.com",
      by,
      apiKeyId: "key_2",
      hint: "gk_test_…3f9Z",
      clientAddress,
      isLast: false,
    },
    {
      kind: "redirect_uri_added",
      accountEmail: "a@example.com",
      by,
      applicationId: "app_1",
      hosts: ["evil.example"],
      clientAddress,
      isLast: false,
    },
    ...(["asked", "confirmed"] as const).map((change): UserMail => ({
      kind: "account_email_changed",
      change,
      accountEmail: "a@example.com",
      newEmail: "b@example.com",
      by,
      clientAddress,
      isLast: false,
    })),
    { kind: "signed_in_on_new_device", url, device: "Firefox on Windows", clientAddress, isLast: false },
    {
      kind: "passkey_removed",
      url,
      device: "Firefox on Windows",
      passkeyNames: ["Phone"],
      clientAddress,
      isLast: false,
    },
    { kind: "sign_in_locked", url, clientAddress, isLast: true },
    { kind: "sign_in_locked", url, clientAddress, isByCodes: true, isLast: true },
  ];

  test.each(notices)("$kind: who, from where, when, and what to do if it was not you", (mail) => {
    const { subject, text } = writeUserMail(mail, { livemode: false, createdAt: new Date(0) });
    expect(subject).toMatch(/^\[sandbox\] \w/);
    expect(text.split("\n")).toEqual(expect.arrayContaining([`From: ${clientAddress}`, "At: 1970-01-01 00:00 UTC"]));
    expect(text).toMatch(/^Not (?:you|your team)\? [A-Z]/m);
    // `kind` and `change` choose the text; the other values are in it.
    const { kind: _kind, change: _change, ...facts } = { change: undefined, ...mail };
    for (const fact of Object.values(facts).filter((value) => typeof value === "string")) {
      expect(text).toContain(fact);
    }
    expect(text.includes("You get no more mails of this kind")).toBe("isLast" in mail && mail.isLast);
    expect(text).toMatch(/[^\n]\n$/);
  });

  test("an invitation names the account and the role", () => {
    const invitation: UserMail = { kind: "invitation", url, accountEmail: "owner@example.com", role: "viewer" };
    const { text } = writeUserMail(invitation, { livemode: true, createdAt: new Date(0) });
    expect(text).toContain("The account owner@example.com invites you as a viewer");
  });
});
