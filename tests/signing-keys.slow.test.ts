import { createTestClock, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "../apps/auth/test/support/oauth-client.ts";
import type { Person, TestAuth } from "../apps/auth/test/support/test-auth.ts";
import { startAuthAndGateways, type AuthAndGateways } from "./support/auth-and-gateways.ts";

const minuteMs = 60_000;

describe("the identity provider and the gateway under load", () => {
  const clock = createTestClock(Date.now());
  let system: AuthAndGateways;
  let auth: TestAuth;
  let person: Person;
  let client: OauthClient;

  beforeAll(async () => {
    system = await startAuthAndGateways({ clock });
    auth = system.auth;
    person = await auth.createPerson();
    client = createOauthClient(auth, await auth.createApplication(person.account));
  });
  afterAll(() => system.stop());

  test("signing keys roll while applications refresh and call, and no request fails", async () => {
    const families = await Promise.all(Array.from({ length: 4 }, () => client.connect(person)));
    const statuses: number[] = [];
    let isOver = false;
    /** Refreshes at one process and calls both gateways, on and on. */
    const work = async (family: number): Promise<void> => {
      let tokens = families[family];
      for (let turn = family; tokens && !isOver; turn += 1) {
        const startMs = clock.now();
        const { status, json } = await client.refresh(tokens.refresh_token, { port: auth.ports[turn % 2] });
        const called = await system.listWallets(json.access_token, turn % 2);
        // A token whose hour the clock jumped over before it arrived has ended, and says nothing of its key.
        statuses.push(status, ...(clock.now() - startMs < 60 * minuteMs ? [called] : []));
        tokens = status === 200 ? json : undefined;
      }
    };
    const working = Promise.all(families.keys().map(work));
    const turns = async (): Promise<void> => {
      const before = statuses.length;
      await waitFor(() => statuses.length >= before + 40 || isOver, { timeoutMs: 30_000 });
    };
    const signers = new Set<string>();
    for (let rolls = 0; rolls < 2; rolls += 1) {
      await turns();
      const { id } = await auth.platform.transaction(({ auth }) => auth.signingKeys.roll());
      signers.add(id);
      // Three times in the 15 minutes.
      await system.keysAreRead();
      await turns();
      clock.advance(15 * minuteMs);
      await turns();
      clock.advance(75 * minuteMs);
      await turns();
    }
    isOver = true;
    await working;
    expect(signers.size).toBe(2);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(300);
  });
});
