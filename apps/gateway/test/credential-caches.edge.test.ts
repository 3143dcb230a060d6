import { waitFor } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { credentialChanges } from "./support/credential-changes.ts";
import { expectHeard } from "./support/expect-heard.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

/** Two gateways have a credential in their caches. The change that ends it is made through neither. */
describe("two gateways", () => {
  const issuer = useIssuer();
  const writer = useGateway();
  const options = () => ({ databaseUrl: writer.databaseUrl, issuer, env: behindProxy });
  const gateways = [useGateway(options), useGateway(options)];
  const freshClient = createFreshClients();

  const askBoth = (request: Ask): Promise<Answer[]> =>
    Promise.all(
      gateways.map((gateway) => gateway.call({ ...request, headers: { ...freshClient(), ...request.headers } })),
    );
  const statusesOf = async (request: Ask): Promise<number[]> => (await askBoth(request)).map(({ status }) => status);

  test.each(credentialChanges)("$name by both, though both had cached it", async ({ prepare, isSeen }) => {
    const { request, change } = await prepare({ writer, issuer, account: await writer.createAccount() });
    const before = [...(await askBoth(request)), ...(await askBoth(request))];
    expect(before.map((answer) => [answer.status, isSeen(answer)])).toEqual(before.map(() => [200, false]));
    await change();
    await expectHeard(async () => (await askBoth(request)).every(isSeen));
    expect((await askBoth(request)).every(isSeen)).toBe(true);
  });

  test("other grants of the same user and account go on", async () => {
    const account = await writer.createAccount();
    const grants = [await createTestGrant(writer, account), await createTestGrant(writer, account)] as const;
    const [ended, alive] = await Promise.all(
      grants.map(async (grant) => ({ target: "/api/v1/account", headers: bearer(await mintToken(issuer, grant)) })),
    );
    await Promise.all([ended, alive].map((request) => askBoth(request as Ask)));
    await writer.platform.accounts.grants.revoke(grants[0].grantId);
    await waitFor(async () => (await statusesOf(ended as Ask)).every((status) => status === 401));
    expect(await statusesOf(alive as Ask)).toEqual([200, 200]);
  });

  test("their logs hold no token", () => {
    expect(gateways.flatMap(({ logLines }) => logLines).join("")).not.toMatch(/eyJ/);
  });
});
