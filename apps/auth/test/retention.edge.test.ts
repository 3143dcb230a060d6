import { createTestClock } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

const dayMs = 24 * 60 * 60_000;

describe("what ran out", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ clock });

  beforeAll(async () => {
    const person = await auth.createPerson();
    const client = createOauthClient(auth, await auth.createApplication(person.account));
    const tokens = await client.connect(person);
    await client.refresh(tokens.refresh_token);
  });

  const models = async (): Promise<string[]> => {
    const rows = await auth.database.kysely.selectFrom("oidc_records").select("model").orderBy("model").execute();
    return rows.map(({ model }) => model);
  };

  test("goes in batches, each kind in its time: codes, interactions, sessions, refresh tokens, grants", async () => {
    const { providerRecords, refreshAnswers } = auth.platform.auth;
    expect(await models()).toEqual(["AuthorizationCode", "Grant", "RefreshToken", "RefreshToken", "Session"]);
    expect([await providerRecords.prune(10), await refreshAnswers.prune(10)]).toEqual([0, 0]);
    clock.advance(60_000);
    expect([await providerRecords.prune(10), await refreshAnswers.prune(10)]).toEqual([1, 1]);
    clock.advance(30 * dayMs);
    expect(await providerRecords.prune(10)).toBe(1);
    expect(await models()).toEqual(["Grant", "RefreshToken", "RefreshToken"]);
    // Unused for 60 days.
    clock.advance(30 * dayMs);
    expect(await providerRecords.prune(1)).toBe(1);
    expect(await providerRecords.prune(10)).toBe(1);
    expect(await models()).toEqual(["Grant"]);
    clock.advance(2 * 365 * dayMs);
    expect(await providerRecords.prune(10)).toBe(1);
  });
});
