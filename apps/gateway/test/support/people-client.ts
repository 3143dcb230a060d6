import type { Schemas } from "@gateway/contract";
import type { Role } from "@gateway/platform/accounts";
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { dataOf } from "./answers.ts";
import { createApiClient, type ApiClient } from "./api-client.ts";
import type { Answer } from "./http-client.ts";
import type { TestGateway } from "./test-gateway.ts";
import { createTestGrant, type TestGrant } from "./test-issuer.ts";

type PersonBody = Schemas["Person"];

/**
 * One account with an admin key, and the calls that tests of people make for it; `call` takes paths below `/people`.
 */
export type PeopleClient = ApiClient & {
  invite(email: string, role?: Role): Promise<Answer>;
  /** Calls `invite`, which must succeed. */
  invited(email?: string, role?: Role): Promise<PersonBody>;
  /** A person who joined, with a new user and grant. */
  joined(role: Role): Promise<TestGrant>;
  changeRole(id: string, role: Role): Promise<Answer>;
  read(id: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  listed(): Promise<PersonBody[]>;
};

export async function createPeopleClient(gateway: TestGateway): Promise<PeopleClient> {
  const api = await createApiClient(gateway);
  const { account } = api;
  const call: PeopleClient["call"] = (method, path, ...rest) => api.call(method, `/people${path}`, ...rest);
  const invite: PeopleClient["invite"] = (email, role = "member") => call("POST", "", { email, role });
  return {
    ...{ ...api, call, invite },
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

/** A new user accepts the invitation. */
export async function joinAs(gateway: TestGateway, personId: string, email: string): Promise<string> {
  const userId = await createUser(gateway, email);
  expect(
    await gateway.platform.transaction(({ accounts }) => accounts.people.join({ personId, userId })),
  ).not.toBeNull();
  return userId;
}
