import { Problem, type ProblemCode } from "@gateway/contract";
import { describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import type { OperationTable } from "../src/operations/operation.ts";
import { refused } from "./support/answers.ts";
import { useGateway } from "./support/use-gateway.ts";

const gateway = useGateway(() => ({ operationTable: withRefusals }));

describe("an operation refuses with the codes of its x-problems", () => {
  test.each<[code: ProblemCode, status: number]>([
    ["INVALID_REQUEST", 400],
    ["FORBIDDEN", 403],
    ["RATE_LIMITED", 429],
    ["UNAVAILABLE", 503],
  ])("%s, which all operations have, is answered as it is", async (code, status) => {
    const answer = await createWallet(code);
    expect(answer).toMatchObject({ status, json: { error: { code, message: "On purpose." } } });
  });

  test.each<ProblemCode>(["LAST_OWNER", "WEBHOOK_LIMIT_REACHED", "NOT_FOUND", "METHOD_NOT_ALLOWED"])(
    "%s, which it does not list, is a 500 that is logged with operation and code, and leaves nothing behind",
    async (code) => {
      const answer = await createWallet(code);
      expect(answer).toMatchObject(refused("INTERNAL_ERROR"));
      expect(answer.text).not.toContain("On purpose.");
      const line = gateway.logLines.find((text) => text.includes(`createWallet refused with ${code}`));
      expect(JSON.parse(line ?? "{}")).toMatchObject({ msg: "request failed", operation: "createWallet", status: 500 });
      expect(line).toContain("which its x-problems does not name");
      const wallets = await gateway.database.kysely.selectFrom("wallets").select("name").execute();
      expect(wallets.map(({ name }) => name)).not.toContain(code);
    },
  );

  test("a GET too", async () => {
    const { secret } = await gateway.createKey(await gateway.createAccount(), "read");
    expect((await gateway.call({ target: "/api/v1/account", key: secret })).status).toBe(500);
  });

  async function createWallet(name: string) {
    const { secret } = await gateway.createKey(await gateway.createAccount(), "write");
    return gateway.call({
      method: "POST",
      target: "/api/v1/wallets",
      key: secret,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name, currency: "EUR" }),
    });
  }
});

/** Creates the wallet like the real operation, and then refuses with the code in its name. */
const withRefusals: OperationTable = {
  ...operationTable,
  createWallet: async (call) => {
    await operationTable.createWallet(call);
    // The test names wallets after codes.
    throw new Problem(call.input.body.name as ProblemCode, "On purpose.", { headers: { "Retry-After": "1" } });
  },
  getAccount: async () => {
    throw new Problem("LAST_OWNER", "On purpose.");
  },
};
