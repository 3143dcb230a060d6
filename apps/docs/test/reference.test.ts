import { operations, services } from "@gateway/contract";
import { describe, expect, test } from "vitest";
import type { Page } from "../src/pages/page.ts";
import { putAddresses } from "../src/pages/put-addresses.ts";
import { createReferencePages } from "../src/pages/reference-pages.ts";
import { readApiDocuments, type ApiDocument } from "../src/reference/api-document.ts";
import { renderReference } from "../src/site/render-reference.ts";

describe("the reference says who may do it:", () => {
  const [gateway] = readApiDocuments();

  /** The reference of a document that adds these keywords to the operation that creates a wallet. */
  function referenceWith(said: object): string {
    const operations = gateway?.operations.map((operation) =>
      operation.operationId === "createWallet" ? { ...operation, ...said } : operation,
    );
    const pages = createReferencePages([{ ...gateway, operations } as ApiDocument]);
    return pages.find(({ path }) => path === "reference/gateway/tags/wallets")?.markdown ?? "";
  }

  test.each([
    ["anybody with the permission", {}, "Permission: `write`. Causes:"],
    [
      "a person",
      { "x-person": "required" },
      "Permission: `write`. Who: a signed-in person, through the console. Causes:",
    ],
    ...(
      [
        [300, "5 minutes"],
        [60, "1 minute"],
        [90, "90 seconds"],
      ] as const
    ).map(([seconds, words]): [string, object, string] => [
      `a person who signed in within ${words}`,
      { "x-person": "required", "x-fresh-sign-in": seconds },
      `Permission: \`write\`. Who: a signed-in person, through the console, who signed in within ${words}. Causes:`,
    ]),
  ])("%s", (_who, said, text) => {
    expect(referenceWith(said)).toContain(text);
  });
});

describe("the reference leads to the console, where an operation is tried:", () => {
  const render = (text: string): string => text;
  const pages = createReferencePages(readApiDocuments());
  const rendered = (document: "gateway" | "auth", consoleUrl: string | null): string =>
    pages
      .filter(({ path }) => path.startsWith(`reference/${document}/`))
      .map((page) => renderReference(page, { render, consoleUrl }))
      .join("");

  test("from each operation of the gateway, by a link", () => {
    const html = rendered("gateway", "https://console.example.com");
    const links = [...html.matchAll(/<p class="try"><a href="https:\/\/console\.example\.com\/try\/(\w+)"/g)];
    expect(new Set(links.map(([, operationId]) => operationId))).toEqual(new Set(Object.keys(operations)));
  });

  test("from none of the identity provider's, and from none where no console is known", () => {
    expect(rendered("auth", "https://console.example.com")).not.toContain("/try/");
    expect(rendered("gateway", null)).not.toContain("Try it");
  });
});

describe("the reference says where an operation is beside the gateway:", () => {
  const [gateway] = readApiDocuments();
  const pages = createReferencePages(gateway ? [gateway] : []);
  const [overview] = pages;
  const markdownOf = (operationId: string): string =>
    pages.flatMap(({ parts = [] }) => parts).find((part) => part.operationId === operationId)?.markdown ?? "";

  test("each operation of a service at its direct addresses", () => {
    for (const { operationId, service, sandboxOnly } of gateway?.operations ?? []) {
      const isDirect = services.some((one) => one === service);
      const production = sandboxOnly ? "" : `\`https://${service}.gateway.example\`, `;
      const line = `of its service: ${production}in the sandbox \`https://sandbox.${service}.gateway.example\`.`;
      expect(markdownOf(operationId).includes(line), operationId).toBe(isDirect);
      expect(markdownOf(operationId).includes("direct address"), operationId).toBe(isDirect);
    }
  });

  test("in the documentation of a system that knows them, at the true ones", () => {
    const addresses = { gatewayUrl: "http://127.0.0.1:1", authUrl: "http://localhost:2" };
    const part = { path: "a", markdown: markdownOf("listWallets") } as Page;
    const known = putAddresses(part, { ...addresses, serviceUrls: { ledger: "http://127.0.0.1:8094" } });
    expect(known.markdown).toContain("in the sandbox `http://127.0.0.1:8094`");
    const sample = { path: "a", markdown: 'curl "$GATEWAY_MARKET_DATA_URL/api/v1/bars"' } as Page;
    expect(putAddresses(sample, { ...addresses, serviceUrls: { "market-data": "http://b:1" } }).markdown).toBe(
      'curl "http://b:1/api/v1/bars"',
    );
    expect(putAddresses(part, addresses).markdown).toContain("in the sandbox `https://sandbox.ledger.gateway.example`");
  });

  test("servers of services without an operation are not in its table", () => {
    const served = new Set(gateway?.operations.map(({ service }) => service));
    for (const service of services) {
      expect(overview?.markdown.includes(`| \`https://${service}.gateway.example\` |`), service).toBe(
        served.has(service),
      );
    }
  });
});
