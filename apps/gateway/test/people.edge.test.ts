import { createTestClock } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { dataOf, refused } from "./support/answers.ts";
import { createPeopleClient, createUser, freshAddress, joinAs, type PeopleClient } from "./support/people-client.ts";
import { bearer, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const path = "/api/v1/people";
const notFound = refused("NOT_FOUND");
const lastOwner = refused("LAST_OWNER");

const day = 86_400_000;

let client: PeopleClient;

const clock = createTestClock(Date.UTC(2026, 2, 9, 12));
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer });
beforeEach(async () => {
  clock.set(Date.UTC(2026, 2, 9, 12));
  client = await createPeopleClient(gateway);
});

describe("joining", () => {
  test("makes the invitation the user's, by name and time, and only one of two who try at once succeeds", async () => {
    const person = await client.invited(freshAddress(), "viewer");
    const users = [
      await createUser(gateway, freshAddress(), "Grace Hopper"),
      await createUser(gateway, freshAddress(), "Grace Hopper"),
    ];
    clock.advance(60_000);
    const outcomes = await Promise.all(
      users.map((userId) =>
        gateway.platform.transaction(({ accounts }) => accounts.people.join({ personId: person.id, userId })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(dataOf(await client.read(person.id))).toEqual({
      ...person,
      name: "Grace Hopper",
      status: "joined",
      joinedAt: "2026-03-09T12:01:00.000Z",
      lastSeenAt: null,
    });
    expect(await gateway.platform.accounts.people.findInvitation(person.id)).toBeNull();
  });

  test("by a user who is in the account already is refused, and the invitation stays", async () => {
    const grant = await client.joined("member");
    const person = await client.invited();
    const join = { personId: person.id, userId: grant.userId };
    expect(await gateway.platform.transaction(({ accounts }) => accounts.people.join(join))).toBeNull();
    expect(dataOf(await client.read(person.id))).toEqual(person);
  });

  test("shows the page behind the link whose account it is, and the user which accounts they are in", async () => {
    const email = freshAddress();
    const person = await client.invited(email, "viewer");
    expect(await gateway.platform.accounts.people.findInvitation(person.id)).toEqual({
      personId: person.id,
      accountId: client.account.id,
      accountName: client.account.email,
      accountEmail: client.account.email,
      email,
      role: "viewer",
    });
    const userId = await joinAs(gateway, person.id, email);
    expect(await gateway.platform.accounts.people.listOfUser(userId)).toEqual([
      {
        accountId: client.account.id,
        personId: person.id,
        role: "viewer",
        accountName: client.account.email,
        accountEmail: client.account.email,
        isSuspended: false,
        needsSecondFactor: false,
      },
    ]);
  });

  test("as the first makes an owner, by an invitation of the same address if there is one; nobody does so later", async () => {
    const person = await client.invited("first@example.com", "viewer");
    const createOwner = (email: string, userId: string) =>
      gateway.platform.transaction(({ accounts }) =>
        accounts.people.createOwner({ accountId: client.account.id, userId, email }),
      );
    const userId = await createUser(gateway, freshAddress());
    expect(await createOwner("First@example.com", userId)).toMatchObject({ id: person.id, role: "owner" });
    expect(await createOwner("second@example.com", await createUser(gateway, freshAddress()))).toBeNull();
    expect((await client.listed()).map(({ id, role, status }) => ({ id, role, status }))).toEqual([
      { id: person.id, role: "owner", status: "joined" },
    ]);
  });

  test("as the first, two at once, makes one owner", async () => {
    const users = [await createUser(gateway, freshAddress()), await createUser(gateway, freshAddress())];
    const outcomes = await Promise.all(
      users.map((userId, index) =>
        gateway.platform.transaction(({ accounts }) =>
          accounts.people.createOwner({ accountId: client.account.id, userId, email: `founder-${index}@example.com` }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
    expect(await client.listed()).toHaveLength(1);
  });
});

describe("the last owner who has joined", () => {
  test("keeps the role and the place; an invited owner is no other", async () => {
    const owner = await client.joined("owner");
    const waiting = await client.invited(freshAddress(), "owner");
    expect(await client.changeRole(owner.personId, "member")).toMatchObject(lastOwner);
    expect(await client.remove(owner.personId)).toMatchObject(lastOwner);
    expect(dataOf(await client.changeRole(owner.personId, "owner"))).toMatchObject({ role: "owner" });
    expect(dataOf(await client.changeRole(waiting.id, "viewer"))).toMatchObject({ role: "viewer" });
    expect(dataOf(await client.remove(waiting.id))).toMatchObject({ id: waiting.id });
    expect(await client.listed()).toMatchObject([{ id: owner.personId, role: "owner" }]);
  });

  test("may go once another has joined", async () => {
    const [first, second] = [await client.joined("owner"), await client.joined("viewer")];
    expect(await client.remove(first.personId)).toMatchObject(lastOwner);
    dataOf(await client.changeRole(second.personId, "owner"));
    dataOf(await client.changeRole(first.personId, "viewer"));
    dataOf(await client.remove(first.personId));
    expect(await client.listed()).toMatchObject([{ id: second.personId, role: "owner" }]);
  });

  test.each([
    ["demoted", (id: string) => client.changeRole(id, "viewer")],
    ["removed", (id: string) => client.remove(id)],
  ])("of two who are %s at once is there afterwards", async (_, end) => {
    for (let round = 0; round < 5; round += 1) {
      client = await createPeopleClient(gateway);
      const owners = [await client.joined("owner"), await client.joined("owner")];
      const answers = await Promise.all(owners.map(({ personId }) => end(personId)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect((await client.listed()).filter(({ role }) => role === "owner")).toHaveLength(1);
    }
  });
});

test("since when somebody is owner is kept without a break: by another's change, not by their own fall and return", async () => {
  const ownerSince = async (id: string) =>
    (await gateway.platform.accounts.people.get({ id, accountId: client.account.id }))?.ownerSince?.getTime();
  const [first, second] = [await client.joined("owner"), await client.joined("member")];
  const start = clock.now();
  expect(await ownerSince(first.personId)).toBe(start);
  expect(await ownerSince(second.personId)).toBeUndefined();
  clock.advance(day);
  await client.changeRole(second.personId, "owner");
  expect(await ownerSince(second.personId)).toBe(start + day);
  clock.advance(day);
  await client.changeRole(second.personId, "owner");
  await client.changeRole(first.personId, "owner");
  expect([await ownerSince(first.personId), await ownerSince(second.personId)]).toEqual([start, start + day]);
  await client.changeRole(second.personId, "viewer");
  expect(await ownerSince(second.personId)).toBeUndefined();
  await client.changeRole(second.personId, "owner");
  expect(await ownerSince(second.personId)).toBe(start + 2 * day);
});

test("who is invited as owner is one from when they join", async () => {
  const email = freshAddress();
  const { id } = await client.invited(email, "owner");
  const own = { id, accountId: client.account.id };
  expect(await gateway.platform.accounts.people.get(own)).toMatchObject({ ownerSince: null });
  clock.advance(day);
  await joinAs(gateway, id, email);
  expect(await gateway.platform.accounts.people.get(own)).toMatchObject({ ownerSince: new Date(clock.now()) });
});

describe("a person's tokens", () => {
  const statusWith = async (token: string, target: string, method = "GET"): Promise<number> =>
    (await gateway.call({ method, target, headers: bearer(token) })).status;

  test("let people remove themselves, but for the last owner", async () => {
    const [staying, leaving] = [await client.joined("owner"), await client.joined("owner")];
    const token = await mintToken(issuer, leaving, { nowMs: clock.now() });
    expect(await statusWith(token, `${path}/${leaving.personId}`, "DELETE")).toBe(200);
    const lastToken = await mintToken(issuer, staying, { nowMs: clock.now() });
    expect(await statusWith(lastToken, `${path}/${staying.personId}`, "DELETE")).toBe(409);
  });
});

test("somebody who was removed is like one who never was", async () => {
  const { id } = await client.invited();
  dataOf(await client.remove(id));
  for (const answer of [await client.read(id), await client.changeRole(id, "viewer"), await client.remove(id)]) {
    expect(answer).toMatchObject(notFound);
  }
});
