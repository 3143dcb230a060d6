import { eventTypes, exampleEvent } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { sendEvent, type SendEventInput } from "@gateway/upstream";
import { SignJWT } from "jose";
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { startTestGateway } from "./support/test-gateway.ts";
import { moneyServices, upstreamEnv, upstreamSecret } from "./support/test-upstream.ts";
import { useGateway } from "./support/use-gateway.ts";
import { atOnce } from "./support/answers.ts";

const path = "/upstream/v1/events";
const object = exampleEvent("kyc.verified").data.object;

const gateway = useGateway({ env: upstreamEnv("https://services.example.com", ["identity", ...moneyServices]) });
let account: Account;
let key: string;
let told = 0;

beforeEach(async () => {
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "admin")).secret;
});

function inputOf(event: Partial<SendEventInput["event"]> = {}, more: Partial<SendEventInput> = {}): SendEventInput {
  told += 1;
  return {
    ...{ gatewayUrl: `http://127.0.0.1:${gateway.metricsPort}`, secret: upstreamSecret, service: "identity" },
    livemode: false,
    event: { id: `told-${told}`, accountId: account.id, type: "kyc.verified", object, ...event },
    ...more,
  };
}
const events = async () => {
  const { json } = await gateway.call({ target: "/api/v1/events", key });
  return (json as { data: { id: string; type: string; data: { object: object } }[] }).data;
};
const codeOf = async (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => "taken",
    (error: unknown) => /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error),
  );

describe("an event that an upstream tells", () => {
  test("is one of the account, and goes to the webhooks that ask for its type", async () => {
    const webhook = { url: "https://example.com/hook", events: ["kyc.verified"] };
    const { id: webhookId } = (
      (await gateway.call({ method: "POST", target: "/api/v1/webhooks", key, body: webhook })).json as {
        data: { id: string };
      }
    ).data;
    const { id, isNew } = await sendEvent(inputOf());
    expect(isNew).toBe(true);
    expect(await events()).toMatchObject([{ id, type: "kyc.verified", data: { object } }]);
    const deliveries = await gateway.call({ target: `/api/v1/deliveries?webhookId=${webhookId}`, key });
    expect(deliveries.json).toMatchObject({ data: [{ eventId: id }] });
  });

  test("again, and 20 times at once, is the same one", async () => {
    const input = inputOf();
    const all = await atOnce(20, () => sendEvent(input));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await sendEvent(input)).toMatchObject({ isNew: false });
    expect(await events()).toHaveLength(1);
  });

  test("with the id of another account's, or of another service's, is another one", async () => {
    const input = inputOf();
    await sendEvent(input);
    const other = await gateway.createAccount();
    expect(await sendEvent({ ...input, event: { ...input.event, accountId: other.id } })).toMatchObject({
      isNew: true,
    });
    const ofLedger = { type: "wallet.created", object: exampleEvent("wallet.created").data.object };
    expect(await sendEvent(inputOf({ ...ofLedger, id: input.event.id }, { service: "ledger" }))).toMatchObject({
      isNew: true,
    });
  });

  test("every type of the document is taken from the service that it is of, and from no other", async () => {
    const owners: Record<string, string> = {
      kyc: "identity",
      payment: "orchestra",
      custody: "custody",
      wallet: "ledger",
    };
    for (const type of eventTypes) {
      const owner = owners[type.split(".")[0] ?? ""] ?? "";
      for (const service of ["identity", "orchestra", "custody", "ledger"]) {
        const { object: ofType } = exampleEvent(type).data;
        const sent = sendEvent(inputOf({ type, object: ofType }, { service }));
        expect(await codeOf(sent), `${type} from ${service}`).toBe(service === owner ? "taken" : "INVALID_REQUEST");
      }
    }
    expect(await events()).toHaveLength(eventTypes.length);
  });

  test.each([
    ["of a type that is none", { type: "kyc.lost" }, "INVALID_REQUEST"],
    ["whose object lacks a field", { object: {} }, "INVALID_REQUEST"],
    ["whose object has another field", { object: { ...object, internal: true } }, "INVALID_REQUEST"],
    ["without an id", { id: "" }, "INVALID_REQUEST"],
    ["with an id of 201 characters", { id: "x".repeat(201) }, "INVALID_REQUEST"],
    ["with an id of 200 characters", { id: "x".repeat(200) }, "taken"],
    ["of no account", { accountId: "acc_01kern7ck2exsrtpkeg8qrsn0h" }, "NOT_FOUND"],
    ["of more than 900 kB", { object: { ...object, metadata: { a: "x".repeat(900_000) } } }, "PAYLOAD_TOO_LARGE"],
  ])("%s: %s", async (_what, event, code) => {
    expect(await codeOf(sendEvent(inputOf(event)))).toBe(code);
    expect(await events()).toHaveLength(code === "taken" ? 1 : 0);
  });

  test.each([
    ["signed with another secret", { secret: "another".repeat(6) }],
    ["of a service that is here", { service: "oracle" }],
    ["of the other environment", { livemode: true }],
    ["signed 67 s ago", { now: () => Date.now() - 67_000 }],
    ["signed 50 s ahead", { now: () => Date.now() + 50_000 }],
  ])("%s is refused", async (_what, more) => {
    expect(await codeOf(sendEvent(inputOf({}, more)))).toBe("UNAUTHENTICATED");
    expect(await events()).toEqual([]);
  });

  test("whose header was signed for other bytes, another method, another address or another audience is refused", async () => {
    const body = JSON.stringify(inputOf().event);
    const claims = {
      ...{ livemode: false, method: "POST", target: path },
      bodySha256: createHash("sha256").update(body).digest("base64url"),
    };
    const send = async (changed: object, { audience = "gateway", sent = body } = {}): Promise<number> => {
      const token = await new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer("identity")
        .setAudience(audience)
        .setJti("one")
        .setIssuedAt()
        .setExpirationTime("60s")
        .sign(Buffer.from(upstreamSecret));
      const headers = { "X-Gateway-Principal": token };
      const url = `http://127.0.0.1:${gateway.metricsPort}${path}`;
      return (await fetch(url, { method: "POST", headers, body: sent })).status;
    };
    expect(await send({}, { sent: body.replace("told", "lied") })).toBe(401);
    expect(await send({ method: "PUT" })).toBe(401);
    expect(await send({ target: "/metrics" })).toBe(401);
    // The audience of the gateway's own requests to the service.
    expect(await send({}, { audience: "identity" })).toBe(401);
    expect(await send({})).toBe(200);
  });

  test("is taken at no public port, and by POST alone", async () => {
    expect(await gateway.call({ method: "POST", target: path, key, body: {} })).toMatchObject({ status: 404 });
    expect((await fetch(`http://127.0.0.1:${gateway.metricsPort}${path}`)).status).toBe(405);
  });
});

test("a gateway without upstreams has no such door", async () => {
  const plain = await startTestGateway();
  const { status } = await fetch(`http://127.0.0.1:${plain.metricsPort}${path}`, { method: "POST" });
  await plain.stop();
  expect(status).toBe(404);
});
