import { createCipher } from "@gateway/kernel";
import type { Account } from "@gateway/platform/accounts";
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import type { Answer } from "./support/http-client.ts";
import { encryptionKey, startTestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

const counterparties = "/api/v1/counterparties";
const planted = { name: "Grüße Planted-Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" };
const mistyped = "DE89370400440532013001";
/** Parts of the texts without the country and the four characters that are shown. */
const parts = [planted.name, planted.name.slice(7), planted.accountNumber, "3704004405320", mistyped];

describe("the name and the account number of a counterparty", () => {
  let account: Account;
  let key: string;

  const gateway = useGateway();
  beforeAll(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "write")).secret;
  });

  const post = (body: object, headers: Record<string, string> = {}, target = counterparties): Promise<Answer> =>
    gateway.call({ method: "POST", target, key, body, headers });

  test("are found in no row, log or refusal after a whole run", async () => {
    await post({ url: "https://hooks.example.com/in", events: ["wallet.created"] }, {}, "/api/v1/webhooks");
    const once = { "Idempotency-Key": "once" };
    const first = await post({ ...planted, externalId: "e" }, once);
    expect(await post({ ...planted, externalId: "e" }, once)).toMatchObject({ status: 201, text: first.text });
    const { id } = (first.json as { data: { id: string } }).data;
    const refused = [
      await post({ ...planted, metadata: {} }, once),
      await post({ ...planted, externalId: "e" }),
      await post({ ...planted, accountNumber: mistyped }),
      await post({ ...planted, accountNumber: `${planted.accountNumber}.` }),
      await post({ ...planted, currency: "USD" }),
      await post({ ...planted, currency: planted.accountNumber }),
      await post({ ...planted, name: `${planted.name}\u202E` }),
      await post({ ...planted, name: [planted.name] }),
      await post({ ...planted, iban: planted.accountNumber }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, ...Array<number>(7).fill(400)]);
    const answered = [
      await gateway.call({ target: `${counterparties}/${id}`, key }),
      await gateway.call({ target: counterparties, key }),
      await gateway.call({ target: `${counterparties}?externalId=e`, key }),
      await gateway.call({ method: "DELETE", target: `${counterparties}/${id}`, key }),
    ];
    expect(answered.map(({ text }) => text.includes(planted.name))).toEqual([true, true, true, true]);
    const [dump, log] = [await dumpDatabase(gateway.database), gateway.logLines.join("\n")];
    expect([dump, log].map((text) => text.includes(id) || text.includes("createCounterparty"))).toEqual([true, true]);
    expect(parts.filter((part) => holdsText(dump, part))).toEqual([]);
    expect(parts.filter((part) => holdsText(log, part))).toEqual([]);
    expect(parts.filter((part) => refused.some(({ text }) => text.includes(part)))).toEqual([]);
    const shown = [first, ...answered].map(({ text }) => text).join("\n");
    expect(parts.slice(2).filter((part) => shown.includes(part))).toEqual([]);
  });

  test("are sealed for their row and account: in another they do not open", async () => {
    const { id } = ((await post(planted)).json as { data: { id: string } }).data;
    const row = await gateway.database.kysely
      .selectFrom("counterparties")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const cipher = createCipher([encryptionKey]);
    const open = (context: string): string => cipher.open(row.account_number ?? Buffer.alloc(0), context).toString();
    expect(open(`counterparty account number ${account.id} ${id}`)).toBe(planted.accountNumber);
    for (const context of [`counterparty name ${account.id} ${id}`, `counterparty account number acc_other ${id}`]) {
      expect(() => open(context)).toThrow();
    }
  });

  test("are read after the encryption keys were rotated, and so is the stored answer; new ones are sealed with the new key", async () => {
    const rotated = randomBytes(32);
    const { id } = ((await post(planted, { "Idempotency-Key": "rotated" })).json as { data: { id: string } }).data;
    const env = { ENCRYPTION_KEYS: [rotated, encryptionKey].map((one) => one.toString("base64")).join(",") };
    const next = await startTestGateway({ env, databaseUrl: gateway.databaseUrl });
    const again = { method: "POST", target: counterparties, key, body: planted };
    try {
      expect(await next.call({ target: `${counterparties}/${id}`, key })).toMatchObject({
        status: 200,
        json: { data: { name: planted.name } },
      });
      const replayed = await next.call({ ...again, headers: { "Idempotency-Key": "rotated" } });
      expect(replayed).toMatchObject({
        status: 201,
        headers: { "idempotency-replayed": "true" },
        json: { data: { id } },
      });
      const made = ((await next.call(again)).json as { data: { id: string } }).data;
      const row = await gateway.database.kysely
        .selectFrom("counterparties")
        .selectAll()
        .where("id", "=", made.id)
        .executeTakeFirstOrThrow();
      const opened = createCipher([rotated]).open(
        row.account_number ?? Buffer.alloc(0),
        `counterparty account number ${account.id} ${made.id}`,
      );
      expect(opened.toString()).toBe(planted.accountNumber);
    } finally {
      await next.stop();
    }
  });
});
