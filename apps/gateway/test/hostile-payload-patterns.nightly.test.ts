import { createTypeId } from "@gateway/kernel";
import { recordFigure } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { backtrackingTexts } from "./support/backtracking-texts.ts";
import { bestOf, cpuMsOf } from "./support/cpu-time.ts";
import { allOperations } from "./support/document-request.ts";
import { isForPeople, signInAtConsole } from "./support/for-people.ts";
import type { Ask } from "./support/http-client.ts";
import { applyEdits } from "./support/requests/mutated-request.ts";
import { placesOf } from "./support/requests/places.ts";
import { wholeRequests } from "./support/requests/request-parts.ts";
import { createRequestRules } from "./support/requests/request-rules.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const runs = 5;
/** A busy machine may slow every run for a while, so a missed bound is measured again. */
const mostRuns = 50;
const mostCpuMs = 20;
const bodyBytes = 50_000;
/** The maximum that fits into the 16 KiB of headers. 50 kB there are refused unread, with 431. */
const headerBytes = 15_000;

describe("text made for backtracking, at every place of the document", () => {
  const rulesOf = createRequestRules();
  const places = allOperations.flatMap((operation) => {
    const { schema, judge } = rulesOf(operation);
    return wholeRequests(schema).flatMap((request) =>
      placesOf(request, schema)
        .filter((place) => place.schema.type === "string")
        .map((place) => ({ ...place, operationId: operation.operationId, request, judge })),
    );
  });

  test.each(places)(
    "$in $field of $operationId is refused within 20 ms of processor time",
    async ({ request, judge, ...place }) => {
      for (const [shape, make] of backtrackingTexts) {
        const hostile = applyEdits(request, [{ ...place, values: [make(bodyBytes)] }]);
        const { results, cpuMs } = await measure(async () => judge(hostile).details);
        expect(results, shape).not.toContain(null);
        expect(cpuMs, shape).toBeLessThan(mostCpuMs);
      }
    },
  );
});

const post = (target: string, body: unknown): Ask => ({ method: "POST", target, body });
const wallet = { name: "W", currency: "EUR" };
const withHeader = (name: string, text: string): Ask => ({
  ...post("/api/v1/wallets", wallet),
  headers: { "Content-Type": "application/json", [name]: text },
});
const withCredential = (name: string, text: string): Ask => ({ target: "/api/v1/wallets", headers: { [name]: text } });
const withTarget = (target: string): Ask => ({ target: target.slice(0, headerBytes) });
const webhook = { url: "https://example.com/in", events: ["wallet.created"] };
const application = { name: "A", redirectUris: ["https://app.example.com/"] };
const counterparty = { name: "C", currency: "EUR" };
const transfer = { walletId: createTypeId("wal"), amount: 1 };
const bookEntry = { network: "ethereum", name: "A" };

/**
 * Places that are not checked by the document alone: headers, targets, and strings of the greatest documented length.
 */
const throughHttp: readonly [name: string, length: number, request: (text: string) => Ask][] = [
  ["Idempotency-Key", headerBytes, (text) => withHeader("Idempotency-Key", text)],
  ["Content-Type", headerBytes, (text) => withHeader("Content-Type", text)],
  ["Content-Encoding", headerBytes, (text) => withHeader("Content-Encoding", text)],
  ["X-API-Key", headerBytes, (text) => withCredential("X-API-Key", text)],
  ["Authorization", headerBytes, (text) => withCredential("Authorization", text)],
  ["an unknown path", headerBytes, (text) => withTarget(`/api/v1/${encodeURIComponent(text)}`)],
  ["an id in a path", headerBytes, (text) => withTarget(`/api/v1/wallets/${encodeURIComponent(text)}`)],
  ["a query parameter", headerBytes, (text) => withTarget(`/api/v1/wallets?cursor=${encodeURI(text)}`)],
  ["an unknown query parameter", headerBytes, (text) => withTarget(`/api/v1/wallets?${encodeURI(text)}`)],
  ["a field", bodyBytes, (text) => post("/api/v1/wallets", { ...wallet, name: text })],
  ["an unknown field", bodyBytes, (text) => post("/api/v1/wallets", { ...wallet, [text]: "v" })],
  ["the url of a webhook", 2000, (text) => post("/api/v1/webhooks", { ...webhook, url: `https://${text}` })],
  [
    "redirect URIs",
    1900,
    (text) => {
      const redirectUris = Array.from({ length: 10 }, (_, index) => `https://${text.slice(0, 1900)}#${index}`);
      return post("/api/v1/oauth-applications", { ...application, redirectUris });
    },
  ],
  ["a logo", 1900, (text) => post("/api/v1/oauth-applications", { ...application, logoUri: `https://${text}` })],
  ["an e-mail address", 250, (text) => post("/api/v1/people", { email: text.slice(0, 254), role: "viewer" })],
  ["an account number", 64, (text) => post("/api/v1/counterparties", { ...counterparty, accountNumber: text })],
  ["a destination", 100, (text) => post("/api/v1/transfers", { ...transfer, destinationAddress: text.slice(0, 100) })],
  ["an address", 100, (text) => post("/api/v1/address-book", { ...bookEntry, address: text.slice(0, 100) })],
];

describe("text made for backtracking, through HTTP", () => {
  let key: string;
  let signIn: () => Promise<Record<string, string>>;

  const issuer = useIssuer();
  const gateway = useGateway({ issuer });
  beforeAll(async () => {
    const account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
    signIn = await signInAtConsole(gateway, { issuer, account });
    for (const [, , request] of throughHttp) {
      await send(request("warm"));
    }
  });

  const send = async (request: Ask): Promise<number> => {
    const hasOwn = /^(?:X-API-Key|Authorization)$/.test(Object.keys(request.headers ?? {})[0] ?? "");
    const credential = isForPeople(request) ? { headers: await signIn() } : { ...(!hasOwn && { key }) };
    return (await gateway.call({ ...request, ...credential })).status;
  };

  test.each(throughHttp)("%s is refused within 20 ms of processor time", async (name, length, request) => {
    const costs: number[] = [];
    for (const [shape, make] of backtrackingTexts) {
      const { results, cpuMs } = await measure(() => send(request(make(length))));
      expect(results.filter((status) => ![400, 401, 404, 415, 429].includes(status))).toEqual([]);
      expect(cpuMs, shape).toBeLessThan(mostCpuMs);
      costs.push(cpuMs);
    }
    recordFigure({ name: `processor time of the worst text in ${name}`, value: Math.max(...costs), unit: "ms" });
  });

  test("50 kB in a header or in the path are refused with 431, unread", async () => {
    for (const request of [
      withHeader("Idempotency-Key", "a".repeat(bodyBytes)),
      { target: `/api/v1/wallets/${"a".repeat(bodyBytes)}` },
    ]) {
      const { results, cpuMs } = await measure(() => send(request));
      expect(new Set(results)).toEqual(new Set([431]));
      expect(cpuMs).toBeLessThan(mostCpuMs);
    }
  });
});

/** Repeats the work, and returns the least processor time that it took. */
async function measure<Result>(work: () => Promise<Result>): Promise<{ results: Result[]; cpuMs: number }> {
  const results: Result[] = [];
  const costs: number[] = [];
  while (costs.length < runs || (costs.length < mostRuns && bestOf(costs) >= mostCpuMs)) {
    const { result, cpuMs } = await cpuMsOf(work);
    results.push(result);
    costs.push(cpuMs);
  }
  return { results, cpuMs: bestOf(costs) };
}
