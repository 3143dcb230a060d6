import { waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Ask } from "./support/http-client.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import {
  bearer,
  createTestGrant,
  mintToken,
  startTestIssuer,
  type TestGrant,
  type TestIssuer,
} from "./support/test-issuer.ts";

const reading: Ask = { target: "/api/v1/account" };
const managing: Ask = { target: "/api/v1/api-keys" };

/** Two gateways have a grant in their caches. The change that ends it is made through neither. */
describe("two gateways", () => {
  let issuer: TestIssuer;
  let writer: TestGateway;
  let gateways: TestGateway[];
  const freshClient = createFreshClients();

  beforeAll(async () => {
    issuer = await startTestIssuer();
    writer = await startTestGateway();
    const options = { databaseUrl: writer.databaseUrl, issuer, env: behindProxy };
    gateways = await Promise.all([startTestGateway(options), startTestGateway(options)]);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await writer.stop();
    await issuer.stop();
  });

  const statusesOf = (token: string, request: Ask): Promise<number[]> =>
    Promise.all(
      gateways.map(
        async (gateway) => (await gateway.call({ ...request, headers: { ...freshClient(), ...bearer(token) } })).status,
      ),
    );

  const changes: [string, (grant: TestGrant) => Promise<unknown>, Ask, number][] = [
    ["a revoked grant is refused", ({ grantId }) => writer.platform.accounts.grants.revoke(grantId), reading, 401],
    [
      "a user whose grants are all revoked is refused",
      ({ userId }) => writer.platform.accounts.grants.revokeAll({ userId }),
      reading,
      401,
    ],
    [
      "a person who left is refused",
      ({ personId: id, accountId }) =>
        writer.platform.transaction(({ accounts }) => accounts.people.remove({ id, accountId })),
      reading,
      401,
    ],
    [
      "an owner who became a viewer manages no more",
      ({ personId: id, accountId }) =>
        writer.platform.transaction(({ accounts }) => accounts.people.changeRole({ id, accountId, role: "viewer" })),
      managing,
      403,
    ],
    [
      "an application that may only read manages no more",
      ({ applicationId: id, accountId }) =>
        writer.platform.accounts.oauthApplications.update({ id, accountId, scopes: ["read"] }),
      managing,
      403,
    ],
    [
      "a deleted application is refused",
      ({ applicationId: id, accountId }) =>
        writer.platform.transaction(({ accounts }) => accounts.oauthApplications.delete({ id, accountId })),
      reading,
      401,
    ],
    [
      "a grant that was deleted by hand in the database is refused",
      ({ grantId }) => writer.database.kysely.deleteFrom("grants").where("id", "=", grantId).execute(),
      reading,
      401,
    ],
  ];

  test.each(changes)("%s by both, though both had cached it", async (_name, change, request, status) => {
    const account = await writer.createAccount();
    const grant = await createTestGrant(writer, account);
    // Another owner: the last one can neither leave nor step down.
    await createTestGrant(writer, account);
    const token = await mintToken(issuer, grant);
    expect([await statusesOf(token, request), await statusesOf(token, request)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await change(grant);
    await expectHeard(async () => (await statusesOf(token, request)).every((each) => each === status));
    expect(await statusesOf(token, request)).toEqual([status, status]);
  });

  test("other grants of the same user and account go on", async () => {
    const account = await writer.createAccount();
    const [ended, alive] = [await createTestGrant(writer, account), await createTestGrant(writer, account)];
    const tokens = await Promise.all([mintToken(issuer, ended), mintToken(issuer, alive)]);
    await Promise.all(tokens.map((token) => statusesOf(token, reading)));
    await writer.platform.accounts.grants.revoke(ended.grantId);
    await waitFor(async () => (await statusesOf(tokens[0], reading)).every((each) => each === 401));
    expect(await statusesOf(tokens[1], reading)).toEqual([200, 200]);
  });

  test("their logs hold no token", () => {
    expect(gateways.flatMap(({ logLines }) => logLines).join("")).not.toMatch(/eyJ/);
  });
});
