import { createTestClock, useAll } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { startTestAuth } from "./support/test-auth.ts";
import { useAuth } from "./support/use-auth.ts";

type Sent = Omit<RequestInit, "headers"> & { headers?: Record<string, string> };

const limit = 5;
const minute = 60;

/** Behind a proxy, so that a test has as many client addresses as it likes. */
describe("limits by client address", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({
    clock,
    env: { AUTH_ADDRESS_LIMIT: String(limit), TRUSTED_PROXIES: "127.0.0.1" },
  });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));
  let addresses = 0;

  // Windows are measured by the time that has passed, which stands still.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const freshAddress = (): string => {
    addresses += 1;
    return `192.0.2.${addresses}`;
  };
  const ask = (path: string, address: string, init: Sent = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${auth.ports[0]}${path}`, {
      redirect: "manual",
      ...init,
      headers: { ...init.headers, "X-Forwarded-For": address },
    });
  const authorizePath = (parameters: Record<string, string | undefined> = {}): string => {
    const { pathname, search } = new URL(client.authorizeUrl(parameters));
    return pathname + search;
  };
  const form = (fields: Record<string, string>): Sent => ({
    method: "POST",
    body: new URLSearchParams({ client_id: client.application.id, ...fields }),
  });
  const protocol: [name: string, path: () => string, init: () => Sent, status: number][] = [
    ["authorize", () => authorizePath({ prompt: "none" }), () => ({}), 303],
    ["token", () => "/api/v1/token", () => form({ grant_type: "refresh_token", refresh_token: "x" }), 400],
    ["revocation", () => "/api/v1/revocation", () => form({ token: "x" }), 200],
    ["userinfo", () => "/api/v1/userinfo", () => ({}), 401],
  ];

  test.each(protocol)("%s: so many a minute, told in each answer; others go on", async (name, path, init, status) => {
    const address = freshAddress();
    for (let sent = 1; sent <= limit; sent += 1) {
      const answer = await ask(path(), address, init());
      expect(answer.status).toBe(status);
      expect(answer.headers.get("X-RateLimit-Limit")).toBe(String(limit));
      expect(answer.headers.get("X-RateLimit-Remaining")).toBe(String(limit - sent));
      expect(Number(answer.headers.get("X-RateLimit-Reset"))).toBe(Math.ceil(clock.now() / 1000 + minute));
    }
    const refused = await ask(path(), address, init());
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: "temporarily_unavailable" });
    expect(refused.headers.get("Retry-After")).toBe(String(minute));
    expect((await ask(path(), freshAddress(), init())).status).toBe(status);
    const [other] = protocol.filter(([each]) => each !== name);
    expect((await ask(other?.[1]() ?? "", address, other?.[2]())).status).toBe(other?.[3]);
  });

  test("a browser that is refused gets a page", async () => {
    const address = freshAddress();
    const headers = { Accept: "text/html" };
    for (let sent = 0; sent < limit; sent += 1) {
      await ask(authorizePath({ prompt: "none" }), address, { headers });
    }
    const refused = await ask(authorizePath(), address, { headers });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Too many requests came from your address.");
  });

  test.each([
    ["state", "x".repeat(1024), 303],
    ["state", "x".repeat(1025), 400],
    ["state", "ü".repeat(512), 303],
    ["state", `${"ü".repeat(512)}x`, 400],
    ["nonce", "x".repeat(1024), 303],
    ["nonce", "x".repeat(1025), 400],
  ])("%s of up to a kilobyte: %s gets %i, and what is refused is sent nowhere", async (name, value, status) => {
    const answer = await ask(authorizePath({ [name]: value }), freshAddress());
    expect(answer.status).toBe(status);
    expect(answer.headers.has("Location")).toBe(status === 303);
  });

  test("pages are counted too, each path for itself, and every answer tells it", async () => {
    const address = freshAddress();
    const headers = { Accept: "text/html" };
    const left = async (path: string): Promise<string> => {
      const answer = await ask(path, address, { headers });
      return `${answer.status} ${answer.headers.get("X-RateLimit-Limit")} ${answer.headers.get("X-RateLimit-Remaining")}`;
    };
    const asked = [];
    for (let sent = 0; sent <= limit; sent += 1) {
      asked.push(await left("/sign-in"));
    }
    expect(asked).toEqual(["200 5 4", "200 5 3", "200 5 2", "200 5 1", "200 5 0", "429 5 0"]);
    expect(await left("/account")).toBe("303 5 4");
    expect(await left("/interaction/one")).toBe("400 5 4");
    expect(await left("/interaction/another")).toBe("400 5 3");
    expect(await left("/assets/style.css")).toBe("200 null null");
  });

  test("the keys and discovery are for caches, and not counted", async () => {
    const address = freshAddress();
    for (let sent = 0; sent <= limit; sent += 1) {
      const { status, headers } = await ask("/api/v1/jwks", address);
      expect([status, headers.has("X-RateLimit-Limit")]).toEqual([200, false]);
    }
  });
});

describe("sign-ins that are begun", () => {
  test("are so many an hour for a client address; what begins none is not counted", async () => {
    const auth = await startTestAuth({ env: { AUTH_ADDRESS_LIMIT: "8" } });
    const person = await auth.createPerson();
    const client = createOauthClient(auth, await auth.createApplication(person.account));
    const begin = async (parameters: Record<string, string> = {}): Promise<number> => {
      const { pathname, search } = new URL(client.authorizeUrl(parameters));
      const answer = await fetch(`http://127.0.0.1:${auth.ports[0]}${pathname}${search}`, { redirect: "manual" });
      return answer.status;
    };
    const count = async (): Promise<number> => {
      const rows = auth.database.kysely.selectFrom("oidc_records").where("model", "=", "Interaction");
      return (await rows.select("model").execute()).length;
    };
    const asked = [];
    for (const parameters of [{ prompt: "none" }, {}, {}, { prompt: "none" }, {}, {}, {}]) {
      asked.push(await begin(parameters));
    }
    expect(asked).toEqual([303, 303, 303, 303, 303, 303, 429]);
    expect(await count()).toBe(4);
    await auth.stop();
  });
});
