import { createTestFolder, runStatement, startScript } from "@gateway/testkit";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useAdmin } from "./support/use-admin.ts";

describe("the operator's commands", () => {
  const admin = useAdmin();

  test("from an account to a revoked key", async () => {
    const enterprise = ["--email", "a@example.com", "--tier", "enterprise", "--limit", "100000"];
    const account = await admin.runJson("accounts", "create", ...enterprise);
    expect(account).toMatchObject({
      id: expect.stringMatching(/^acc_/),
      tier: "enterprise",
      requestsPerMinute: 100_000,
    });
    const id = String(account["id"]);

    const key = await admin.runJson(
      "keys",
      "create",
      "--account",
      id,
      "--permission",
      "read",
      "--expires-in-days",
      "90",
    );
    expect(key).toMatchObject({
      permission: "read",
      secret: expect.stringMatching(/^gk_test_\w{32}_\w{6}$/),
      revokedAt: null,
    });
    const lifeMs = Date.parse(String(key["expiresAt"])) - Date.parse(String(key["createdAt"]));
    // The command asks the clock, and the key again as it is made.
    expect(Math.round(lifeMs / 1000)).toBe(90 * 24 * 60 * 60);

    const listed = await admin.run("keys", "list", "--account", id, "--json");
    expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ id: key["id"] })]);
    expect(listed.stdout).not.toContain(String(key["secret"]));

    expect(await admin.runJson("accounts", "change-tier", "--account", id, "--tier", "starter")).toMatchObject({
      requestsPerMinute: 30,
    });
    expect(await admin.runJson("keys", "revoke", "--account", id, "--key", String(key["id"]))).toMatchObject({
      revokedAt: expect.any(String),
    });
    const row = await admin.database.kysely
      .selectFrom("api_keys")
      .select("revoked_at")
      .where("id", "=", String(key["id"]))
      .executeTakeFirst();
    expect(row?.revoked_at).toBeInstanceOf(Date);
  });

  test("an account is suspended, resumed, and its credentials are revoked, the last admin key too", async () => {
    const { id } = await admin.runJson("accounts", "create", "--email", "s@example.com", "--tier", "starter");
    const of = ["--account", String(id)];
    await admin.runJson("keys", "create", ...of, "--permission", "admin");
    const suspended = await admin.runJson("accounts", "suspend", ...of, "--reason", "Unpaid");
    expect(suspended).toMatchObject({ id, suspendedAt: expect.any(String), suspensionReason: "Unpaid" });
    const resumed = await admin.runJson("accounts", "resume", ...of);
    expect(resumed).toMatchObject({ id, suspendedAt: null, suspensionReason: null });
    const revoked = await admin.runJson("accounts", "revoke-credentials", ...of);
    expect(revoked).toEqual({ id, apiKeys: 1, grants: 0, sessions: 0 });
    for (const command of ["suspend", "resume", "revoke-credentials"]) {
      const { code, stderr } = await admin.run("accounts", command, "--account", "acc_none");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("There is no account acc_none") });
    }
  });

  test("facts that somebody has to look at are listed, and dismissed", async () => {
    await admin.database.kysely
      .insertInto("inbox_facts")
      .values({
        ...{ account_id: "acc_a", id: "fct_a", port: "chain", fact_id: "block 7", subject_id: "dep_a" },
        ...{ fact: '{"amountMinor":7}', disputed: '{"amountMinor":8}', status: "parked", received_at: new Date(0) },
      })
      .execute();
    const fact = {
      ...{ id: "fct_a", accountId: "acc_a", port: "chain", factId: "block 7", subjectId: "dep_a", status: "parked" },
      ...{ receivedAt: "1970-01-01T00:00:00.000Z", fact: '{"amountMinor":7}', disputed: '{"amountMinor":8}' },
    };
    expect(await admin.runJson("facts", "list")).toEqual([fact]);
    const { code, stderr } = await admin.run("facts", "retry", "--fact", "fct_a");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("A chain reported content that is not a fact of a deposit"),
    });
    expect(await admin.runJson("facts", "dismiss", "--fact", "fct_a")).toEqual(fact);
    const recorded = await admin.database.kysely
      .selectFrom("audit_events")
      .select(["type", "actor_type", "resource_id"])
      .where("account_id", "=", "acc_a")
      .execute();
    expect(recorded).toEqual([{ type: "fact.dismissed", actor_type: "operator", resource_id: "fct_a" }]);
    expect(await admin.runJson("facts", "list")).toEqual([]);
    for (const command of ["retry", "dismiss"]) {
      expect(await admin.run("facts", command, "--fact", "fct_a")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("No fact fct_a needs an operator"),
      });
    }
  });

  const insertAuditEvents = (accountId: string, unreadable: number) =>
    runStatement(
      admin.env.DATABASE_URL,
      `insert into audit_events (id, account_id, type, actor_type, changes, personal, personal_salt, created_at)
      select 'aud_' || lpad(n::text, 26, '0'), '${accountId}', 'api_key.created', 'system', '[]',
        case when n = ${unreadable} then 'no JSON' end, case when n = ${unreadable} then ''::bytea end, now()
      from generate_series(1, 10000) n`,
    );

  test("the audit log is exported in order and whole, 10,000 events too, and the export is its last", async () => {
    await insertAuditEvents("acc_many", 0);
    const { code, stdout } = await admin.run("audit", "export", "--account", "acc_many", "--json");
    expect(code).toBe(0);
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(10_001);
    expect(ids).toEqual(ids.toSorted());
    const { stdout: blocks } = await admin.run("audit", "export", "--account", "acc_many");
    expect(blocks.match(/^type +\S+$/gm)).toHaveLength(10_002);
    expect(blocks.match(/^type +operator\.read$/gm)).toHaveLength(2);
  });

  test("the audit log is printed while it is read: what came before a row that cannot be read is there", async () => {
    await insertAuditEvents("acc_torn", 9_500);
    const { code, stdout } = await admin.run("audit", "export", "--account", "acc_torn", "--json");
    expect(code).toBe(1);
    const ids = Array.from(stdout.matchAll(/^\[?\{"id":"(aud_\d+)"/gm), ([, id]) => id);
    expect(ids).toEqual(Array.from({ length: 9_499 }, (_, index) => `aud_${String(index + 1).padStart(26, "0")}`));
    expect(() => JSON.parse(stdout) as unknown).toThrow(SyntaxError);
  });

  test("an e-mail address has one account, whatever its letter case", async () => {
    await admin.runJson("accounts", "create", "--email", "twice@example.com", "--tier", "growth");
    const second = await admin.run("accounts", "create", "--email", "Twice@Example.com", "--tier", "growth");
    expect(second).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("already") });
  });

  test("without --json it prints for people", async () => {
    await admin.runJson("accounts", "create", "--email", "people@example.com", "--tier", "explorer");
    const { stdout } = await admin.run("accounts", "list");
    expect(stdout).toMatch(/^email +people@example\.com$/m);
    expect(stdout).toMatch(/^requestsPerMinute +10$/m);
  });

  test("what is not there is refused with the reason alone", async () => {
    const refused = await admin.run("keys", "create", "--account", "acc_none", "--permission", "read");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("There is no account acc_none");
    expect(refused.stderr).not.toContain("Usage");
  });

  test("a mistake in the command starts nothing, so no data folder is made", async () => {
    const dataDir = join(await createTestFolder(), "data");
    const args = ["accounts", "create", "--email", "b@example.com", "--tier", "gold"];
    const program = startScript("apps/admin/src/main.ts", args, { env: { DATA_DIR: dataDir } });
    expect(await program.exited).toBe(2);
    expect(program.stderr()).toContain("--tier must be one of");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a database that does not answer is named, not dumped", async () => {
    const program = startScript("apps/admin/src/main.ts", ["accounts", "list"], {
      env: { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/none" },
    });
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toContain("Check DATABASE_URL");
    expect(program.stderr()).not.toMatch(/hunter2|^ {4}at /m);
  });

  test("production's database is not opened as the sandbox's", async () => {
    const { code, stderr } = await admin.runWith({ LIVEMODE: "true" }, "accounts", "list");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("belongs to the sandbox gateway") });
  });

  test("removes all second factors of a user who has lost them, and ends the sessions", async () => {
    const values = { id: "usr_lost", email: "lost@example.com", name: "Lost", created_at: new Date() };
    await admin.database.kysely.insertInto("users").values(values).execute();
    const passkey = {
      name: "Phone",
      public_key: Buffer.from("key"),
      counter: 0,
      transports: [],
      created_at: new Date(),
    };
    await admin.database.kysely
      .insertInto("passkeys")
      .values({ ...passkey, id: "lost", user_id: "usr_lost" })
      .execute();
    const remove = (email: string) => admin.run("users", "remove-second-factors", "--email", email, "--json");
    expect(JSON.parse((await remove("lost@example.com")).stdout)).toMatchObject({ id: "usr_lost", removed: true });
    expect(JSON.parse((await remove("LOST@example.com")).stdout)).toMatchObject({ removed: false });
    expect(await remove("nobody@example.com")).toMatchObject({ code: 1 });
    expect(await admin.database.kysely.selectFrom("passkeys").selectAll().execute()).toEqual([]);
  });
});
