import type { Schemas } from "@gateway/contract";
import { maxAddressBookEntries } from "@gateway/platform/custody";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, dataOf, invalid } from "./support/answers.ts";
import {
  createCustodyClient,
  dayMs,
  ethereumAddress,
  thresholdMinor,
  type CustodyClient,
  type SignedIn,
} from "./support/custody-client.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Policy = Schemas["TransferPolicy"];
type Entry = Schemas["AddressBookEntry"];

let client: CustodyClient;
let owner: SignedIn;

const issuer = useIssuer();
const gateway = useGateway({ issuer });
beforeEach(async () => {
  client = await createCustodyClient(gateway, issuer);
  owner = await client.signIn();
});

const any = { currency: "any", minimumAmount: 0, destination: "any" } as const;
const allowAll = { ...any, action: "allow" } as const;
const blockAll = { ...any, action: "block" } as const;
const approveAll = (requiredApprovals?: number) => ({ ...any, action: "require_approval", requiredApprovals }) as const;

const replace = (rules: object[]): Promise<Answer> => client.call("PUT", "/transfer-policy", { rules }, owner.headers);
const policy = (): Promise<Policy> => client.get("/transfer-policy");
const auditOf = (resourceId: string): Promise<object[]> => client.get(`/audit-events?resourceId=${resourceId}`);

/** Decision of the policy on a transfer. */
async function judge(change: object = {}): Promise<string> {
  const answer = await client.send(change);
  const { approvalId } = (answer.json as { data?: { approvalId: string | null } }).data ?? {};
  return codeOf(answer) ?? (approvalId === null ? "allow" : "require_approval");
}

describe("a policy", () => {
  test("that was lowered is used in vain for a day, and then is the policy", async () => {
    const before = await policy();
    expect(before).toMatchObject({ effectiveAt: null, next: null });
    const now = async (): Promise<number> => Date.parse((await client.get<{ now: string }>("/sandbox/clock")).now);
    const beforeMs = await now();
    const replaced = dataOf<Policy>(await replace([allowAll]));
    const afterMs = await now();
    expect(replaced).toMatchObject({ rules: before.rules, effectiveAt: null });
    expect(replaced.next?.rules).toEqual([{ ...allowAll, requiredApprovals: null }]);
    const effectiveMs = Date.parse(replaced.next?.effectiveAt ?? "");
    expect(effectiveMs - dayMs).toBeGreaterThanOrEqual(beforeMs);
    expect(effectiveMs - dayMs).toBeLessThanOrEqual(afterMs);
    expect(await judge({ amount: thresholdMinor })).toBe("require_approval");
    await client.advance(86_300);
    expect(await judge({ amount: thresholdMinor })).toBe("require_approval");
    await client.advance(100);
    expect(await policy()).toEqual({ ...replaced.next, next: null });
    expect(await judge({ amount: thresholdMinor })).toBe("allow");
    const actor = { type: "person", id: owner.personId, applicationId: null };
    expect(await auditOf(client.account.id)).toContainEqual(
      expect.objectContaining({ type: "transfer_policy.replaced", actor }),
    );
  });

  test("that is changed again before it applies never applies, and the day begins again", async () => {
    await replace([allowAll]);
    await client.advance(86_300);
    await replace([blockAll]);
    await client.advance(200);
    expect(await judge({ amount: thresholdMinor })).toBe("require_approval");
    await client.advance(86_400);
    expect(await judge()).toBe("POLICY_BLOCKED");
  });

  test("stays while the next one waits, and is what 20 at once leave one of", async () => {
    await replace([blockAll]);
    await client.advance(86_400);
    expect(countCodes(await atOnce(20, () => replace([allowAll])))).toEqual({ 200: 20 });
    expect(await policy()).toMatchObject({ rules: [{ action: "block" }], next: { rules: [{ action: "allow" }] } });
    expect(await judge()).toBe("POLICY_BLOCKED");
  });

  test.each([
    ["6 approvals", [approveAll(6)], "rules.0.requiredApprovals"],
    ["approvals without a number", [allowAll, approveAll()], "rules.1.requiredApprovals"],
    ["a number without approvals", [{ ...allowAll, requiredApprovals: 1 }], "rules.0.requiredApprovals"],
    ["a currency without a network", [{ ...allowAll, currency: "EUR" }], "rules.0.currency"],
  ])("with %s is 400 on its field, and changes nothing", async (_name, rules, field) => {
    const answer = await replace(rules);
    expect(answer).toMatchObject(invalid(field));
    expect(await policy()).toMatchObject({ effectiveAt: null, next: null });
  });
});

describe("the address book", () => {
  const add = (address: string, network = "ethereum"): Promise<Answer> =>
    client.call("POST", "/address-book", { network, address, name: "Supplier" }, owner.headers);
  const list = (): Promise<Entry[]> => client.get("/address-book");
  const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

  async function allowKnownAddresses(): Promise<void> {
    await replace([{ ...allowAll, destination: "address_book" }, approveAll(1)]);
    await client.advance(86_400);
  }

  test("lets rules know an address a day after it was added, however it is spelled, until it is deleted", async () => {
    await allowKnownAddresses();
    const entry = dataOf<Entry>(await add(checksummed), 201);
    expect(entry).toMatchObject({ address: checksummed.toLowerCase(), status: "pending" });
    expect(Date.parse(entry.activeFrom) - Date.parse(entry.createdAt)).toBe(dayMs);
    const judgeKnown = () => judge({ destinationAddress: `0x${checksummed.slice(2).toUpperCase()}` });
    expect(await judgeKnown()).toBe("require_approval");
    await client.advance(86_300);
    expect(await judgeKnown()).toBe("require_approval");
    await client.advance(100);
    expect(await list()).toEqual([{ ...entry, status: "active" }]);
    expect([await judgeKnown(), await judge()]).toEqual(["allow", "require_approval"]);
    const remove = () => client.call("DELETE", `/address-book/${entry.id}`);
    expect([dataOf(await remove()), dataOf(await remove())]).toMatchObject([{ id: entry.id }, { id: entry.id }]);
    expect(await judgeKnown()).toBe("require_approval");
    expect(await list()).toEqual([]);
    await add(checksummed);
    expect(await judgeKnown(), "added again").toBe("require_approval");
    expect(await auditOf(entry.id)).toMatchObject([
      { type: "address_book_entry.deleted", actor: { type: "apiKey", id: client.keyId } },
      { type: "address_book_entry.created", actor: { type: "person", id: owner.personId } },
    ]);
  });

  test("of another account, or of another network, lets nothing out", async () => {
    await allowKnownAddresses();
    const other = await createCustodyClient(gateway, issuer);
    const { headers } = await other.signIn();
    await other.call("POST", "/address-book", { network: "ethereum", address: ethereumAddress, name: "A" }, headers);
    await other.advance(86_400);
    await add("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bitcoin");
    await client.advance(86_400);
    expect(await judge()).toBe("require_approval");
    const [entry] = await list();
    expect(codeOf(await other.call("DELETE", `/address-book/${entry?.id}`))).toBe("NOT_FOUND");
    expect(await list()).toHaveLength(1);
  });

  test(`has ${maxAddressBookEntries} entries at most, of 20 at once too`, async () => {
    const { id } = dataOf<Entry>(await add(ethereumAddress), 201);
    await sql`
      insert into address_book_entries (account_id, id, network, address, name, active_from, created_at)
      select account_id, id || number, network, address, name, active_from, created_at
      from address_book_entries, generate_series(2, ${maxAddressBookEntries - 10}) number where id = ${id}
    `.execute(gateway.database.kysely);
    expect(countCodes(await atOnce(20, () => add(ethereumAddress)))).toEqual({ 201: 10, LIMIT_REACHED: 10 });
  });
});

describe("in production, where nobody is simulated", () => {
  const production = useGateway({ issuer, env: { LIVEMODE: "true" } });
  beforeEach(async () => {
    client = await createCustodyClient(production, issuer);
    owner = await client.signIn();
  });

  test("a rule asks for fewer people than own the account, for one of them asks", async () => {
    const refusal = invalid("rules.0.requiredApprovals");
    expect(await replace([approveAll(1)])).toMatchObject(refusal);
    await client.signIn();
    await client.signIn({ role: "member" });
    expect((await replace([approveAll(1)])).status).toBe(200);
    expect(await replace([approveAll(2)])).toMatchObject(refusal);
    await client.signIn();
    expect((await replace([approveAll(2)])).status).toBe(200);
  });

  test("what too few could approve is refused: without owners, by the only one, or with one of less than a day", async () => {
    const large = { amount: thresholdMinor };
    expect(codeOf(await client.send(large, owner.headers))).toBe("POLICY_BLOCKED");
    const { headers } = await client.createKey(owner.headers);
    expect(codeOf(await client.send(large, headers))).toBe("POLICY_BLOCKED");
    await client.signIn({ ownerForMs: dayMs - 60_000 });
    expect(codeOf(await client.send(large, headers))).toBe("POLICY_BLOCKED");
    expect(await client.balanceOf()).toMatchObject({ held: 0 });
    const second = await client.signIn();
    const { approvalId } = await client.waiting(headers);
    expect(codeOf(await client.decide(approvalId, "approve", owner))).toBe("APPROVER_IS_INITIATOR");
    expect(dataOf(await client.decide(approvalId, "approve", second))).toMatchObject({ status: "approved" });
    const foreign = await createCustodyClient(production, issuer);
    expect(codeOf(await foreign.send(large))).toBe("POLICY_BLOCKED");
  });
});
