import type { OperationPolicy } from "@gateway/contract";
import { createApiKeySecret, permissions, type Account } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { credentialKinds, readAccessTable, type CredentialKind } from "./support/access-table.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Ask } from "./support/http-client.ts";
import { operationClasses, type OperationClass } from "./support/operation-classes.ts";
import { createSharedSamples, sampleRequest, type SampleRequest } from "./support/sample-request.ts";
import { type TestGateway } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const table = readAccessTable();

describe.each([
  { environment: "sandbox", livemode: false },
  { environment: "production", livemode: true },
])("who may call an operation of each class in $environment", ({ livemode }) => {
  // Production does not have the others, which sandbox-clock.edge.test.ts shows.
  describeEnvironment(
    operationClasses.filter(({ operation }) => !(operation.sandboxOnly && livemode)),
    livemode,
  );
});

function describeEnvironment(classes: readonly OperationClass[], livemode: boolean): void {
  let account: Account;
  let grant: TestGrant;
  let credentials: Record<CredentialKind, Record<string, string>>;
  const clock = createTestClock(Date.now());
  const freshClient = createFreshClients();
  const sample = (operation: OperationPolicy): Promise<SampleRequest> =>
    sampleRequest(operation, { ...gateway, accountId: account.id });
  const sharedSample = createSharedSamples(sample);

  const issuer = useIssuer({ authUrl: "https://auth.example.com" });
  const gateway = useGateway({
    clock,
    issuer,
    keepsStill: true,
    env: { ...behindProxy, LIVEMODE: String(livemode) },
  });
  const other = useGateway({ env: { LIVEMODE: String(!livemode) } });
  beforeAll(async () => {
    account = await gateway.createAccount();
    grant = await createTestGrant(gateway, account);
    credentials = await createCredentials({ gateway, other, account, livemode, expiry: new Date(clock.now() + 1000) });
    clock.advance(1000);
  });

  describe.each(classes)("$name: $operation.operationId", ({ operation }) => {
    /** Sends one request. A refusal has no effect, so refused requests share a sample, as reads do. */
    const expectStatus = async (headers: Ask["headers"], status: number | undefined): Promise<void> => {
      const isRefused = status !== undefined && status >= 400;
      const request = await (isRefused || operation.method === "get" ? sharedSample : sample)(operation);
      const before = isRefused && (await digestDatabase(gateway.database));
      const answer = await gateway.call({ ...request, headers: { ...freshClient(), ...headers } });
      expect(answer.status).toBe(status);
      if (isRefused) {
        expect(await digestDatabase(gateway.database)).toEqual(before);
      }
    };

    test.each(credentialKinds)("with the credential: %s", (kind) =>
      expectStatus(credentials[kind], table.get(operation.operationId)?.[kind]),
    );

    test.each(permissions)("with an access token of the permission %s, as with a key of it", async (permission) => {
      const token = await mintToken(issuer, grant, { scope: permission, nowMs: clock.now() });
      await expectStatus(bearer(token), table.get(operation.operationId)?.[permission]);
    });
  });

  test("a key of the other environment is told its mistake", async () => {
    const answer = await gateway.call({
      target: "/api/v1/account",
      headers: { ...freshClient(), ...credentials.otherEnvironment },
    });
    const mistake = livemode ? /test key .* production/ : /live key .* sandbox/;
    expect(answer).toMatchObject({ status: 401, json: { error: { message: expect.stringMatching(mistake) } } });
  });
}

type Origin = { gateway: TestGateway; other: TestGateway; account: Account; livemode: boolean; expiry: Date };

async function createCredentials({
  gateway,
  other,
  account,
  livemode,
  expiry,
}: Origin): Promise<Record<CredentialKind, Record<string, string>>> {
  const keyOf = (secret: string): Record<string, string> => ({ "X-API-Key": secret });
  const [read, write, admin, revoked, expired] = await Promise.all([
    gateway.createKey(account, "read"),
    gateway.createKey(account, "write"),
    gateway.createKey(account, "admin"),
    gateway.createKey(account, "admin"),
    gateway.createKey(account, "admin", expiry),
  ]);
  await gateway.platform.accounts.apiKeys.revoke({ id: revoked.id, accountId: account.id });
  const foreign = await other.createKey(await other.createAccount(), "admin");
  return {
    none: {},
    malformed: keyOf(`${admin.secret.slice(0, -1)}!`),
    unknown: keyOf(createApiKeySecret(livemode)),
    read: keyOf(read.secret),
    write: keyOf(write.secret),
    admin: keyOf(admin.secret),
    revoked: keyOf(revoked.secret),
    expired: keyOf(expired.secret),
    otherEnvironment: keyOf(foreign.secret),
    twoCredentials: { ...keyOf(admin.secret), Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
    bearer: { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
  };
}
