import { createTestClock, waitFor, useAll } from "@gateway/testkit";
import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

const minuteMs = 60_000;

/** Two processes on one Postgres. */
describe("signing keys", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ processes: 2, clock });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  const publishedAt = async (port: number): Promise<string[]> => {
    const { keys } = (await (await fetch(`http://127.0.0.1:${port}/api/v1/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid).toSorted();
  };
  const expectPublished = async (...ids: string[]): Promise<void> => {
    for (const port of auth.ports) {
      await waitFor(async () => JSON.stringify(await publishedAt(port)) === JSON.stringify(ids.toSorted()));
    }
  };
  /** Checks both processes, and both tokens that they sign. */
  const expectSigning = async (id: string): Promise<void> => {
    for (const port of auth.ports) {
      const { json } = await client.exchange(await client.authorize(person), { port });
      const kids = [json.access_token, json.id_token ?? ""].map((token) => decodeProtectedHeader(token).kid);
      expect(kids).toEqual([id, id]);
    }
  };
  const listIds = async (): Promise<string[]> => (await auth.platform.auth.signingKeys.list()).map(({ id }) => id);
  const roll = (options?: { immediately: boolean }) =>
    auth.platform.transaction(({ auth }) => auth.signingKeys.roll(options));

  test("two processes that start at once on an empty database make one", async () => {
    expect(await listIds()).toHaveLength(1);
    const platforms = Array.from({ length: 8 }, () => auth.platform);
    await auth.database.kysely.deleteFrom("signing_keys").execute();
    await Promise.all(platforms.map((platform) => platform.transaction(({ auth }) => auth.signingKeys.ensure())));
    expect(await listIds()).toHaveLength(1);
    await expectPublished(...(await listIds()));
  });

  test("a successor is published at once, signs after 15 minutes, and the old key stays until its tokens are over", async () => {
    const [old = ""] = await listIds();
    const { id: successor } = await roll();
    await expectPublished(old, successor);
    await expectSigning(old);
    clock.advance(15 * minuteMs - 1);
    await expectSigning(old);
    clock.advance(1);
    await expectSigning(successor);
    await expectPublished(old, successor);
    clock.advance(75 * minuteMs - 1);
    await expectPublished(old, successor);
    clock.advance(1);
    await expectPublished(successor);
    expect(await auth.platform.auth.signingKeys.prune()).toBe(1);
    await expectSigning(successor);
  });

  test("rolled immediately, for a key that leaked, the new key signs at once and the old is gone", async () => {
    const { id } = await roll({ immediately: true });
    await expectPublished(id);
    await expectSigning(id);
  });

  test("rolled twice within 15 minutes, all three stay published", async () => {
    const [first = ""] = await listIds();
    const { id: second } = await roll();
    clock.advance(minuteMs);
    const { id: third } = await roll();
    await expectPublished(first, second, third);
    clock.advance(14 * minuteMs);
    await expectSigning(second);
    clock.advance(minuteMs);
    await expectSigning(third);
  });

  test("is rolled when it is 30 days old and not before, once, by however many processes", async () => {
    clock.advance(2 * 60 * minuteMs);
    const [current] = await auth.platform.auth.signingKeys.list();
    const rollIfDue = () => auth.platform.transaction(({ auth }) => auth.signingKeys.rollIfDue());
    clock.set((current?.createdAt.getTime() ?? 0) + 30 * 24 * 60 * minuteMs - 1);
    expect(await rollIfDue()).toBe(false);
    clock.advance(1);
    const outcomes = await Promise.all([rollIfDue(), rollIfDue()]);
    expect(outcomes.toSorted()).toEqual([false, true]);
    expect((await listIds())[0]).not.toBe(current?.id);
  });
});
