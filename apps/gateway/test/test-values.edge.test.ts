import type { Schemas } from "@gateway/contract";
import { createSimulatedPorts } from "@gateway/simulation";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import { createCustodyClient, type CustodyClient } from "./support/custody-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

/** The guide's values are used as printed, and must have the effect in their column. */
const guide = readFileSync(new URL("../../docs/guides/test-values.md", import.meta.url), "utf8");

/** The rows of the table under a heading, without its head: `code` marks taken away. */
function tableOf(heading: string): string[][] {
  const [, section = ""] = guide.split(`## ${heading}\n`);
  const rows = section.split("\n## ")[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

let client: CustodyClient;

const issuer = useIssuer();
const gateway = useGateway({ issuer, createPorts: createSimulatedPorts });
beforeAll(async () => {
  client = await createCustodyClient(gateway, issuer);
});

const advance = (seconds: number) => client.call("POST", "/sandbox/clock/advance", { seconds });

describe("account numbers", () => {
  const accountNumbers = tableOf("Account numbers (test IBANs)");

  test("there are some of each currency that has a rail", () => {
    expect(accountNumbers.map(([currency]) => currency)).toEqual(["EUR", "GBP", "USD", "JPY"]);
  });

  test.each(accountNumbers)("%s", async (currency, ...numbers) => {
    const walletId = await client.createWallet(currency as "EUR", 10_000_000);
    const made: string[] = [];
    for (const accountNumber of numbers) {
      const payee = await client.call("POST", "/counterparties", { name: "Grace Hopper", currency, accountNumber });
      const destination = { counterpartyId: dataOf<{ id: string }>(payee, 201).id };
      made.push(
        dataOf<{ id: string }>(await client.call("POST", "/payments", { walletId, amount: 1_000, destination }), 201)
          .id,
      );
    }
    await advance(2 * 86_400);
    const outcomes = await Promise.all(
      made.map(async (id) => {
        const payment = dataOf<Schemas["Payment"]>(await client.call("GET", `/payments/${id}`));
        return `${payment.status} ${payment.failureCode} ${payment.returnedAmount}`;
      }),
    );
    expect(outcomes).toEqual(["settled null 0", "failed rail_refused 0", "settled null 1000", "initiated null 0"]);
  });
});

describe("names of people", () => {
  const outcomeOf: Readonly<Record<string, string>> = {
    "Hopper, and any other": "verified",
    Reject: "rejected",
    Review: "review_required",
    Slow: "verified",
  };

  test.each(tableOf("Names of people"))("%s: %s", async (name = "", said = "") => {
    const [familyName = ""] = name.split(",");
    const made = await client.call("POST", "/kyc-verifications", {
      subject: { givenName: "Grace", familyName, birthDate: "1990-12-31", country: "DE", address: "Here 1" },
      documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
    });
    const { id } = dataOf<{ id: string }>(made, 201);
    const read = async () => dataOf<Schemas["KycVerification"]>(await client.call("GET", `/kyc-verifications/${id}`));
    await advance(31);
    if (said.includes("an hour")) {
      expect(await read()).toMatchObject({ status: "submitted" });
      await advance(3_600);
    }
    const verification = await read();
    expect(verification.status).toBe(outcomeOf[name]);
    expect(said).toContain(verification.status);
    if (verification.rejectionCode !== null) {
      expect(said).toContain(verification.rejectionCode);
    }
  });
});

describe("addresses of networks", () => {
  const currencyOf: Readonly<Record<string, "BTC" | "ETH">> = { bitcoin: "BTC", ethereum: "ETH" };
  /** Above the minimum of the network, and below the amount that needs an approval. */
  const amountOf: Readonly<Record<string, number>> = { bitcoin: 100_000, ethereum: 20_000_000 };

  test.each(tableOf("Addresses of networks"))("%s", async (network = "", ...addresses) => {
    const walletId = await client.createWallet(currencyOf[network] ?? "BTC", 1_000_000_000);
    const made: string[] = [];
    for (const destinationAddress of addresses) {
      const transfer = await client.call("POST", "/transfers", {
        walletId,
        amount: amountOf[network],
        destinationAddress,
      });
      made.push(dataOf<{ id: string }>(transfer, 201).id);
    }
    await advance(86_400);
    const statuses = await Promise.all(
      made.map(async (id) => {
        const { status, failureCode } = dataOf<Schemas["CustodyTransfer"]>(
          await client.call("GET", `/transfers/${id}`),
        );
        return `${status} ${failureCode}`;
      }),
    );
    expect(statuses).toEqual(["completed null", expect.stringMatching(/^failed /), expect.stringMatching(/^failed /)]);
    expect(new Set(statuses).size).toBe(3);
  });
});
