import { findFreePort, startScript, type TestProcess } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient, type TokenAnswer } from "../apps/identity/test/support/oauth-client.ts";
import { startTestIdentity, type Person, type TestIdentity } from "../apps/identity/test/support/test-identity.ts";

/** Started as an operator starts them, on one Postgres and under one address, with everything logged. */
describe("two processes of the identity provider", () => {
  let identity: TestIdentity;
  let processes: TestProcess[];
  let ports: number[];
  let person: Person;
  let client: OauthClient;

  beforeAll(async () => {
    identity = await startTestIdentity();
    ports = [await findFreePort(), await findFreePort()];
    processes = [];
    for (const port of ports) {
      processes.push(
        startScript("apps/identity/src/main.ts", [], {
          env: {
            DATABASE_URL: identity.databaseUrl,
            ENCRYPTION_KEYS: identity.encryptionKey.toString("base64"),
            AUTH_URL: identity.origin,
            API_URL: identity.apiUrl,
            IDENTITY_PORT: String(port),
            IDENTITY_METRICS_PORT: String(await findFreePort()),
            LOG_LEVEL: "trace",
          },
        }),
      );
    }
    await Promise.all(processes.map((each) => each.printed(/identity listens/)));
    person = await identity.createPerson();
    client = createOauthClient(identity, await identity.createApplication(person.account));
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.destroy()));
    await identity.stop();
  });

  const atOnce = (count: number, ask: (port: number | undefined) => Promise<TokenAnswer>): Promise<TokenAnswer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(ports[index % 2])));

  test("of 20 exchanges of one code at once, one is answered, 19 are refused and the tokens are dead", async () => {
    for (let round = 0; round < 10; round += 1) {
      const authorization = await client.authorize(person);
      const answers = await atOnce(20, (port) => client.exchange(authorization, { port }));
      const good = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status, json }) => status === 400 && json.error === "invalid_grant");
      expect([good.length, refused.length]).toEqual([1, 19]);
      expect(await client.refresh(good[0]?.json.refresh_token ?? "")).toMatchObject({ status: 400 });
    }
  });

  test("of 20 refreshes with one token at once, each answer is the very same, generation after generation", async () => {
    let { refresh_token: token } = await client.connect(person);
    for (let generation = 0; generation < 10; generation += 1) {
      const used = token;
      const answers = await atOnce(20, (port) => client.refresh(used, { port }));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      token = answers[0]?.json.refresh_token ?? "";
    }
    const heads = await identity.database.kysely
      .selectFrom("oidc_records")
      .select("model")
      .where("model", "=", "RefreshToken")
      .where("consumed_at", "is", null)
      .execute();
    expect(heads).toHaveLength(1);
  });

  test("SIGTERM under load ends no request, and the process with 0", async () => {
    const { refresh_token: first } = await client.connect(person);
    const [, second] = processes;
    const statuses: number[] = [];
    let token = first;
    let isOver = false;
    const working = (async () => {
      while (!isOver) {
        const { status, json } = await client
          .refresh(token, { port: ports[1] })
          .catch(() => ({ status: 0, json: null }));
        isOver ||= status === 0;
        if (json) {
          statuses.push(status);
          token = json.refresh_token;
        }
      }
    })();
    await expect.poll(() => statuses.length).toBeGreaterThan(10);
    second?.signal("SIGTERM");
    expect(await second?.exited).toBe(0);
    isOver = true;
    await working;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  test("nothing that they printed holds a code, token, verifier, cookie or password", () => {
    const printed = processes.map((each) => each.stdout() + each.stderr()).join("");
    expect(printed.split("\n").filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(400);
    expect(identity.watch.count()).toBeGreaterThan(50);
    expect(identity.watch.findIn(printed)).toEqual([]);
  });
});
