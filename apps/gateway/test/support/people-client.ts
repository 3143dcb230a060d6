import type { Schemas } from "@gateway/contract";
import type { Account, Role } from "@gateway/platform/accounts";
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";
import { createTestGrant, type TestGrant } from "./test-issuer.ts";

export type PersonBody = Schemas["Person"];

/** One account with an admin key, and the calls that tests of people make for it. */
export type PeopleClient = {
  account: Account;
  key: string;
  call(method: string, target: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  invite(email: string, role?: Role): Promise<Answer>;
  /** As `invite`, which must succeed. */
  invited(email?: string, role?: Role): Promise<PersonBody>;
  /** A person who joined, by a user and a grant of their own. */
  joined(role: Role): Promise<TestGrant>;
  changeRole(id: string, role: Role): Promise<Answer>;
  read(id: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  listed(): Promise<PersonBody[]>;
};

export async function createPeopleClient(gateway: TestGateway): Promise<PeopleClient> {
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "admin");
  const call: PeopleClient["call"] = (method, target, body, headers = {}) =>
    gateway.call({ method, target: `/api/v1/people${target}`, key, headers, ...(body && { body }) });
  const invite: PeopleClient["invite"] = (email, role = "member") => call("POST", "", { email, role });
  return {
    account,
    key,
    call,
    invite,
    invited: async (email = freshAddress(), role = "member") => dataOf(await invite(email, role), 201),
    joined: (role) => createTestGrant(gateway, account, { role }),
    changeRole: (id, role) => call("PATCH", `/${id}`, { role }),
    read: (id) => call("GET", `/${id}`),
    remove: (id) => call("DELETE", `/${id}`),
    listed: async () => dataOf(await call("GET", "?limit=100")),
  };
}

export function freshAddress(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

export async function createUser({ platform }: TestGateway, email: string, name = "Test"): Promise<string> {
  const user = await platform.auth.users.create({ email, name, passwordHash: "none" });
  return user?.id ?? "";
}

/** A new user takes the invitation. */
export async function joinAs(gateway: TestGateway, personId: string, email: string): Promise<string> {
  const userId = await createUser(gateway, email);
  expect(
    await gateway.platform.transaction(({ accounts }) => accounts.people.join({ personId, userId })),
  ).not.toBeNull();
  return userId;
}

/** The `data` of an answer with the status that was expected. */
export function dataOf<Data>(answer: Answer, status = 200): Data {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  // The gateway has held the answer against the document, for it is in the sandbox.
  return (answer.json as { data: Data }).data;
}
