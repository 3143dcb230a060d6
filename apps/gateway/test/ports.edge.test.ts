import { noPorts } from "@gateway/ports";
import { createTestFolder, digestDatabase } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

let gateway: TestGateway;

afterEach(() => gateway.stop());

test("production asks the module of PORTS; for a port that it leaves out the answer is 503", async () => {
  const PORTS = join(await createTestFolder(), "ports.mjs");
  await writeFile(
    PORTS,
    `export const createPorts = ({ settings }) => ({
      chain: { createAddress: async ({ addressId }) => ({ address: settings.CHAIN_ADDRESS }), submit: async () => {} },
    });`,
  );
  const CHAIN_ADDRESS = `0x${"ab".repeat(20)}`;
  gateway = await startTestGateway({ env: { LIVEMODE: "true", PORTS, CHAIN_ADDRESS } });
  const account = await gateway.createAccount();
  const key = (await gateway.createKey(account, "write")).secret;
  const post = (path: string, body: object) => gateway.call({ method: "POST", target: `/api/v1/${path}`, key, body });
  const { json } = await post("wallets", { name: "W", currency: "USDC" });
  const walletId = (json as { data: { id: string } }).data.id;
  const obtained = await post("deposit-addresses", { walletId });
  expect(obtained).toMatchObject({ status: 201 });
  const { address } = (obtained.json as { data: { address: string } }).data;
  expect(address.toLowerCase()).toBe(CHAIN_ADDRESS);
  const checked = await post("kyc-verifications", {
    reference: "r",
    subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
    documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
  });
  expect(checked).toMatchObject(refused("UNAVAILABLE"));
});

test("production without ports: what needs one is 503, and nothing is written", async () => {
  gateway = await startTestGateway({
    env: { LIVEMODE: "true" },
    createPorts: () => noPorts,
  });
  const account = await gateway.createAccount();
  const key = (await gateway.createKey(account, "write")).secret;
  const post = (path: string, body: object) => gateway.call({ method: "POST", target: `/api/v1/${path}`, key, body });
  const idOf = async (path: string, body: object): Promise<string> =>
    ((await post(path, body)).json as { data: { id: string } }).data.id;
  const [coins, euros] = [
    await idOf("wallets", { name: "W", currency: "USDC" }),
    await idOf("wallets", { name: "W", currency: "EUR" }),
  ];
  const named = { name: "A", currency: "EUR", accountNumber: "DE89370400440532013000" };
  const counterpartyId = await idOf("counterparties", named);
  const destinationAddress = "0x52908400098527886e0f7030069857d2e4169ee7";
  const before = await digestDatabase(gateway.database);
  for (const [path, body] of [
    ["deposit-addresses", { walletId: coins }],
    ["transfers", { walletId: coins, amount: 5_000_000, destinationAddress }],
    ["payments", { walletId: euros, amount: 1, destination: { counterpartyId } }],
    [
      "kyc-verifications",
      {
        subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
        documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
      },
    ],
  ] as const) {
    const answer = await post(path, body);
    expect(answer, path).toMatchObject(refused("UNAVAILABLE"));
  }
  expect(await digestDatabase(gateway.database)).toEqual(before);
});
