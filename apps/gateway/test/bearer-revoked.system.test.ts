import { waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { startGatewayProcess, type GatewayProcess } from "./support/gateway-process.ts";
import { ask, type Ask } from "./support/http-client.ts";
import { expectWithinASecond } from "./support/expect-within-a-second.ts";
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

/** What a grant rests on is changed past the gateways; each of two real processes has it in its cache. */
describe("two gateway processes", () => {
  let issuer: TestIssuer;
  let writer: TestGateway;
  let processes: GatewayProcess[];
  const freshClient = createFreshClients();

  beforeAll(async () => {
    issuer = await startTestIssuer();
    writer = await startTestGateway();
    const { authUrl, apiUrl } = issuer.authProvider;
    const options = { databaseUrl: writer.databaseUrl, env: { ...behindProxy, AUTH_URL: authUrl, API_URL: apiUrl } };
    processes = await Promise.all([startGatewayProcess(options), startGatewayProcess(options)]);
  });
  afterAll(async () => {
    await Promise.all(processes.map(({ program }) => program.destroy()));
    await writer.stop();
    await issuer.stop();
  });

  const statusesOf = (token: string, request: Ask): Promise<number[]> =>
    Promise.all(
      processes.map(
        async ({ port }) => (await ask(port, { ...request, headers: { ...freshClient(), ...bearer(token) } })).status,
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

  test.each(changes)(
    "%s within a second by both, though both had cached it",
    async (_name, change, request, status) => {
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
      await expectWithinASecond(async () => (await statusesOf(token, request)).every((each) => each === status));
      expect(await statusesOf(token, request)).toEqual([status, status]);
    },
  );

  test("other grants of the same user and account go on", async () => {
    const account = await writer.createAccount();
    const [ended, alive] = [await createTestGrant(writer, account), await createTestGrant(writer, account)];
    const tokens = await Promise.all([mintToken(issuer, ended), mintToken(issuer, alive)]);
    await Promise.all(tokens.map((token) => statusesOf(token, reading)));
    await writer.platform.accounts.grants.revoke(ended.grantId);
    await waitFor(async () => (await statusesOf(tokens[0], reading)).every((each) => each === 401));
    expect(await statusesOf(tokens[1], reading)).toEqual([200, 200]);
  });

  test("their output holds no token", () => {
    const output = processes.map(({ program }) => program.stdout() + program.stderr()).join("");
    expect(output).not.toMatch(/eyJ/);
  });
});
