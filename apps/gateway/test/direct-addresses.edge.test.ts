import { operations, services, type OperationPolicy, type Service } from "@gateway/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { readGatewayConfig } from "../src/config.ts";
import { atOnce, comparable } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import { ask, type Answer, type Ask } from "./support/http-client.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { askRaw } from "./support/raw-http.ts";
import { allOperations } from "./support/document-request.ts";
import { firstOfEachService } from "./support/operation-classes.ts";
import { encryptionKey, startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const wallets = "/api/v1/wallets";
const needed = { DATABASE_URL: "postgres://127.0.0.1:1/none", ENCRYPTION_KEYS: encryptionKey.toString("base64") };

describe("SERVICES", () => {
  test.each<[string, readonly Service[] | null]>([
    ["", null],
    ["custody", ["custody"]],
    [" custody, market-data ,", ["custody", "market-data"]],
    [services.join(","), services],
  ])("%j mounts %j", (SERVICES, expected) => {
    expect(readGatewayConfig({ ...needed, SERVICES }).services).toEqual(expected);
  });

  test.each([
    ["custdy", '"custdy" is not one; did you mean custody?'],
    ["ledger,Market_Data", '"Market_Data" is not one; did you mean market-data?'],
    ["billing", `must be a comma-separated list of services (${services.join(", ")}); "billing" is not one`],
    ["accounts", '"accounts" is not one'],
    ["toString", '"toString" is not one'],
  ])("%j is refused: %s", (SERVICES, message) => {
    expect(() => readGatewayConfig({ ...needed, SERVICES })).toThrow(message);
  });
});

describe("a direct address", () => {
  let key: string;
  const freshClient = createFreshClients();
  const issuer = useIssuer();
  const gateway = useGateway({ direct: true, issuer, env: behindProxy });
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
  });

  const portOf = (service: Service): number => gateway.directPorts[service] ?? 0;
  const askAt = async (port: number, { headers, ...request }: Ask): Promise<Answer> => {
    const answer = await ask(port, { ...request, headers: { ...freshClient(), ...headers } });
    expectOurAnswer(answer, { ...request, ...(headers && { headers }) });
    return answer;
  };
  const requestOf = ({ method, path }: OperationPolicy): Ask => ({
    method: method.toUpperCase(),
    target: path.replaceAll(/\{\w+\}/g, "x"),
  });
  /** A path that resembles no known path. */
  const unknown = { target: "/api/v1/kxzqvwjkxzqvwj/kxzqvwj/kxzqvwj" };

  describe.each(services)("of %s", (service) => {
    test("answers a path of another service or of the gateway itself as a path that never was", async () => {
      const never = await askAt(portOf(service), { ...unknown, headers: { "X-API-Key": key } });
      expect(never).toMatchObject({
        status: 404,
        json: {
          error: {
            code: "NOT_FOUND",
            message: expect.stringMatching(/some services only; the gateway has them all\.$/),
          },
        },
      });
      for (const { operation } of firstOfEachService((one) => one.service !== service)) {
        const answer = await askAt(portOf(service), { ...requestOf(operation), headers: { "X-API-Key": key } });
        expect(comparable(answer), operation.operationId).toEqual(comparable(never));
      }
    });

    test("answers a preflight, another method, bytes that are no request and too much of a header like the gateway", async () => {
      const [first] = allOperations.filter((one) => one.service === service);
      const { target } = first ? requestOf(first) : unknown;
      const preflight = { Origin: "https://evil.example", "Access-Control-Request-Method": "GET" };
      const requests: Ask[] = [
        { target, method: "OPTIONS", headers: preflight },
        { target, headers: { "X-API-Key": [key, key] } },
        { target, headers: { "X-API-Key": key, Origin: "https://evil.example" } },
        // Without an operation there is no path that could take another method.
        ...(first ? ["OPTIONS", "TRACE", "QUERY"].map((method) => ({ target, method })) : []),
      ];
      for (const request of requests) {
        const [direct, usual] = [await askAt(portOf(service), request), await askAt(gateway.port, request)];
        expect(comparable(direct), JSON.stringify(request)).toEqual(comparable(usual));
      }
      for (const bytes of ["hello\r\n\r\n", `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`]) {
        const [direct, usual] = [await askRaw(portOf(service), bytes), await askRaw(gateway.port, bytes)];
        expect(comparable(direct)).toEqual(comparable(usual));
      }
    });
  });

  test("suggests the near paths that it has, and no others", async () => {
    const at = async (service: Service): Promise<unknown> =>
      (await askAt(portOf(service), { target: "/api/v1/walets" })).json;
    expect(await at("ledger")).toMatchObject({
      error: { message: expect.stringContaining(`Did you mean ${wallets}?`) },
    });
    expect(await at("custody")).toMatchObject({ error: { message: expect.not.stringContaining("wallets") } });
  });

  test("a key of idempotency that was used at the gateway is replayed here, and one that was used here there", async () => {
    const create = (name: string, port: number): Promise<Answer> =>
      gateway.call({
        port,
        key,
        method: "POST",
        target: wallets,
        headers: { "Idempotency-Key": name },
        body: { name: "Payroll", currency: "EUR" },
      });
    for (const [name, first, second] of [
      ["there-here", gateway.port, portOf("ledger")],
      ["here-there", portOf("ledger"), gateway.port],
    ] as const) {
      const [made, again] = [await create(name, first), await create(name, second)];
      expect(again).toMatchObject({ status: 201, text: made.text, headers: { "idempotency-replayed": "true" } });
      expect(made.headers).not.toHaveProperty("idempotency-replayed");
    }
    const both = await Promise.all([gateway.port, portOf("ledger")].map((port) => create("at-once", port)));
    expect(new Set(both.map(({ text }) => text)).size).toBe(1);
  });

  test("of 300 requests at once, spread over nine addresses, no more pass than the account's limit, each with a remaining of its own", async () => {
    const { secret } = await gateway.createKey(await gateway.createAccount({ tier: "growth" }), "read");
    const targets = addressesOf(gateway);
    await gateway.call({ target: "/api/v1/account", key: secret });
    const answers = await atOnce(299, (index) => {
      const { port, target } = targets[index % targets.length] as Target;
      return gateway.call({ port, target, key: secret });
    });
    const passed = answers.filter(({ status }) => status !== 429);
    expect(countStatuses(answers)[429]).toBe(240);
    const remaining = passed.map((answer) => limitHeadersOf(answer).remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 59 }, (_, index) => index));
  });

  test("guesses of keys from one client are counted over all of them", async () => {
    const headers = freshClient();
    const ports = [gateway.port, ...Object.values(gateway.directPorts)];
    const answers = await atOnce(20, (index) => ask(ports[index % 9] as number, { target: wallets, headers }));
    expect(countStatuses(answers)[429]).toBe(10);
  });
});

describe("a gateway of some services", () => {
  test("has their paths at its one address, and the account's key, limit and wallet are those of the others", async () => {
    const whole = await startTestGateway();
    const { databaseUrl } = whole;
    const part = await startTestGateway({ databaseUrl, env: { SERVICES: "ledger,custody" } });
    const { secret: key } = await whole.createKey(await whole.createAccount(), "write");
    const { json } = await whole.call({ method: "POST", target: wallets, key, body: { name: "A", currency: "EUR" } });
    expect(await part.call({ target: wallets, key })).toMatchObject({
      status: 200,
      json: { data: [(json as { data: object }).data] },
    });
    expect((await part.call({ target: "/api/v1/transfers", key })).status).toBe(200);
    for (const target of ["/api/v1/payments", "/api/v1/account", "/api/v1/webhooks"]) {
      expect((await ask(part.port, { target, headers: { "X-API-Key": key } })).status).toBe(404);
    }
    expect(part.directPorts).toEqual({});
    await Promise.all([whole.stop(), part.stop()]);
  });
});

type Target = { port: number; target: string };

/** Nine addresses: the gateway's own, and one for each service, with a list of the service if it has one. */
function addressesOf({ port, directPorts }: TestGateway): Target[] {
  const lists = Object.values<OperationPolicy>(operations).filter(
    ({ method, path }) => method === "get" && !path.includes("{"),
  );
  const direct = services.map((service) => ({
    port: directPorts[service] ?? 0,
    target: lists.find((one) => one.service === service)?.path ?? "/api/v1/nothing",
  }));
  return [{ port, target: wallets }, ...direct];
}
