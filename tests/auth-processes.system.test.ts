import { findFreePort, startScript, waitFor, type TestProcess } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient, type TokenAnswer } from "../apps/auth/test/support/oauth-client.ts";
import { startTestAuth, type Person, type TestAuth } from "../apps/auth/test/support/test-auth.ts";

/** Started as an operator starts them, on one Postgres and under one address, with everything logged. */
describe("two processes of the identity provider", () => {
  let auth: TestAuth;
  let processes: TestProcess[];
  let ports: number[];
  let person: Person;
  let client: OauthClient;

  beforeAll(async () => {
    auth = await startTestAuth();
    ports = [await findFreePort(), await findFreePort()];
    processes = [];
    for (const port of ports) {
      processes.push(
        startScript("apps/auth/src/main.ts", [], {
          env: {
            DATABASE_URL: auth.databaseUrl,
            ENCRYPTION_KEYS: auth.encryptionKey.toString("base64"),
            AUTH_URL: auth.origin,
            API_URL: auth.apiUrl,
            AUTH_PORT: String(port),
            AUTH_METRICS_PORT: String(await findFreePort()),
            LOG_LEVEL: "trace",
          },
        }),
      );
    }
    await Promise.all(processes.map((each) => each.printed(/auth listens/)));
    person = await auth.createPerson();
    client = createOauthClient(auth, await auth.createApplication(person.account));
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.destroy()));
    await auth.stop();
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
    const heads = await auth.database.kysely
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
    await waitFor(() => statuses.length > 10);
    second?.signal("SIGTERM");
    expect(await second?.exited).toBe(0);
    isOver = true;
    await working;
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  test("nothing that they printed holds a code, token, verifier, cookie or password", () => {
    const printed = processes.map((each) => each.stdout() + each.stderr()).join("");
    expect(printed.split("\n").filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(400);
    expect(auth.watch.count()).toBeGreaterThan(50);
    expect(auth.watch.findIn(printed)).toEqual([]);
  });
});
