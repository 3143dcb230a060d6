import { createIdentityService } from "@gateway/upstream/example";
import type { Account } from "@gateway/platform/accounts";
import { useAll } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import { answerJson, serve, upstreamEnv, upstreamSecret } from "./support/test-upstream.ts";
import { useGateway, useUpstream } from "./support/use-gateway.ts";

const verifications = "/api/v1/kyc-verifications";
const person = {
  subject: { givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE", address: "Here 1" },
  documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
};
type Body = {
  data: { id: string; status: string } & Record<string, unknown>;
  error: { code: string; message: string };
};
const bodyOf = ({ json }: Answer): Body => json as Body;

describe("an identity service that is somebody else's", () => {
  const service = useAll(
    () => serve(createIdentityService({ secret: upstreamSecret })),
    (served) => served.stop(),
  );
  const gateway = useGateway(() => ({ env: upstreamEnv(service.url, ["identity"]) }));
  let account: Account;
  let write: string;

  beforeEach(async () => {
    account = await gateway.createAccount();
    write = (await gateway.createKey(account, "write")).secret;
  });
  const create = (headers: Record<string, string> = {}): Promise<Answer> =>
    gateway.call({ method: "POST", target: verifications, key: write, headers, body: { ...person, reference: "r-1" } });

  test("creates, gets and lists as the document says, in our envelope", async () => {
    const created = await create();
    expect(created).toMatchObject({ status: 201, json: { data: { status: "submitted", reference: "r-1" } } });
    const { id } = bodyOf(created).data;
    expect(await gateway.call({ target: `${verifications}/${id}`, key: write })).toMatchObject({
      status: 200,
      json: { data: { id } },
    });
    expect(await gateway.call({ target: verifications, key: write })).toMatchObject({
      status: 200,
      json: { data: [{ id }], meta: { hasMore: false, nextCursor: null } },
    });
  });

  test("nothing is written here but the answer to the key", async () => {
    await create({ "Idempotency-Key": "once" });
    const { kysely } = gateway.database;
    expect(await kysely.selectFrom("kyc_verifications").selectAll().execute()).toEqual([]);
    expect(await kysely.selectFrom("idempotency_claims").selectAll().execute()).toEqual([]);
  });

  test("another account's is not there, in the words of the upstream", async () => {
    const { id } = bodyOf(await create()).data;
    const stranger = await gateway.createKey(await gateway.createAccount(), "admin");
    const answer = await gateway.call({ target: `${verifications}/${id}`, key: stranger.secret });
    expect(answer.status).toBe(404);
    expect(bodyOf(answer).error.message).toBe("There is no such verification in this account.");
  });

  test("a repeated key gets the first answer's bytes, and another request with it is refused", async () => {
    const key = { "Idempotency-Key": "kyc-1" };
    const first = await create(key);
    const again = await create(key);
    expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
    const other = { ...person, reference: "r-2" };
    expect(
      await gateway.call({ method: "POST", target: verifications, key: write, headers: key, body: other }),
    ).toMatchObject(refused("IDEMPOTENCY_KEY_REUSED"));
  });
});

describe("what reaches an upstream", () => {
  const upstream = useUpstream();
  const gateway = useGateway(() => ({ env: upstreamEnv(upstream.url, ["identity"]) }));
  let account: Account;

  beforeEach(async () => {
    upstream.answer = (res) => answerJson(res, 404, { error: { code: "NOT_FOUND", message: "No." }, meta: {} });
    account = await gateway.createAccount();
  });

  test("no credential of the caller: of 20 that were planted none is found", async () => {
    const planted = Array.from({ length: 20 }, () => randomBytes(16).toString("hex"));
    const [inCookie = "", inKey = "", inRequestId = "", ...others] = planted;
    const { id, secret } = await gateway.createKey(account, "write");
    const headers = {
      Cookie: `session=${inCookie}`,
      "Idempotency-Key": inKey,
      "X-Request-Id": inRequestId,
      "Proxy-Authorization": `Basic ${others[0]}`,
      "X-Gateway-Principal": others[1] ?? "",
      "X-Auth-Token": others[2] ?? "",
      "X-Forwarded-For": "192.0.2.1",
      "X-Forwarded-Client-Cert": others[3] ?? "",
      Forwarded: `for=${others[4]}`,
      Referer: `https://example.com/?token=${others[5]}`,
      "X-Api-Token": others[6] ?? "",
      Via: `1.1 ${others[7]}`,
      From: `${others[8]}@example.com`,
      "User-Agent": others[9] ?? "",
      TE: "trailers",
      "Keep-Alive": others[10] ?? "",
      "X-Amz-Security-Token": others[11] ?? "",
      "X-Csrf-Token": others[12] ?? "",
      "X-Service-Signature": others[13] ?? "",
      "Accept-Language": others[14] ?? "",
      "Sec-Custom": others[15] ?? "",
      Traceparent: others[16] ?? "",
    };
    await gateway.call({ method: "POST", target: verifications, key: secret, headers, body: person });
    expect(upstream.received).toHaveLength(1);
    const seen = JSON.stringify(upstream.received);
    expect([...planted, secret].filter((one) => seen.includes(one))).toEqual([]);
    const { headers: sent } = upstream.received[0] as { headers: Record<string, string> };
    expect(Object.keys(sent).toSorted()).toEqual([
      ...["accept", "connection", "content-length", "content-type", "host"],
      ...["idempotency-key", "x-gateway-principal", "x-request-id"],
    ]);
    const [, payload = ""] = sent["x-gateway-principal"]?.split(".") ?? [];
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      ...{ iss: "gateway", aud: "identity", jti: sent["x-request-id"], account: account.id, permission: "write" },
      ...{ credential: { kind: "apiKey", apiKeyId: id }, livemode: false, method: "POST", target: verifications },
    });
  });

  test("only what the gateway lets through: neither an invalid request, nor one without permission, nor one over the limit", async () => {
    const reader = await gateway.createKey(account, "read");
    const explorer = await gateway.createAccount({ tier: "explorer" });
    const { secret } = await gateway.createKey(explorer, "read");
    expect(await gateway.call({ target: `${verifications}?limit=0`, key: reader.secret })).toMatchObject({
      status: 400,
    });
    expect(
      await gateway.call({ method: "POST", target: verifications, key: reader.secret, body: person }),
    ).toMatchObject({ status: 403 });
    expect(await gateway.call({ target: verifications })).toMatchObject({ status: 401 });
    expect(upstream.received).toEqual([]);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      statuses.push(
        (await gateway.call({ target: `${verifications}/kyc_01kk70jjxzeq2924sbsjry3fhv`, key: secret })).status,
      );
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
    expect(upstream.received).toHaveLength(10);
  });
});
