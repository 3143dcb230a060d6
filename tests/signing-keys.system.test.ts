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
    let answers = 0;
    const failures: string[] = [];
    let isOver = false;
    /** Refreshes at one process and calls both gateways, repeatedly. */
    const work = async (family: number): Promise<void> => {
      let tokens = families[family];
      for (let turn = family; tokens && !isOver; turn += 1) {
        const startMs = clock.now();
        const { status, json, text } = await client.refresh(tokens.refresh_token, { port: auth.ports[turn % 2] });
        if (status !== 200) {
          failures.push(`the refresh at ${turn % 2}: ${status} ${text}`);
          return;
        }
        const called = await system.listWallets(json.access_token, turn % 2);
        // A token whose hour the clock jumped over before it arrived has expired, so its refusal does not concern its
        // key.
        if (called !== 200 && clock.now() - startMs < 60 * minuteMs) {
          failures.push(`the call at ${turn % 2}: ${called} at turn ${turn}`);
        }
        answers += 2;
        tokens = json;
      }
    };
    const working = Promise.all(families.keys().map(work));
    const turns = async (): Promise<void> => {
      const before = answers;
      await waitFor(() => answers >= before + 40 || isOver);
    };
    const signers = new Set<string>();
    for (let rolls = 0; rolls < 2; rolls += 1) {
      await turns();
      const { id } = await auth.platform.transaction(({ auth }) => auth.signingKeys.roll());
      signers.add(id);
      await system.keyIsRead(id);
      await turns();
      clock.advance(15 * minuteMs);
      await turns();
      clock.advance(75 * minuteMs);
      await turns();
    }
    isOver = true;
    await working;
    expect(signers.size).toBe(2);
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(300);
  });
});
