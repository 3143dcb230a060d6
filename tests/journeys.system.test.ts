import { authOpenapi, enforcedOpenapi, type OpenApiDocument } from "@gateway/contract";
import { createTestDatabase, createTestFolder } from "@gateway/testkit";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSecretWatch } from "../apps/auth/test/support/secret-watch.ts";
import { letApplicationIn } from "./support/let-application-in.ts";
import { createCaller, runCommand, startLocal, type LocalSystem } from "./support/local-system.ts";
import {
  documents,
  fileOfJourney,
  listJourneys,
  onlyLoopback,
  runJourney,
  stepsOnPaper,
  type JourneyRun,
} from "./support/run-journey.ts";
import { startSecretStore, type SecretStore } from "./support/secret-store.ts";

/** Journeys that begin after a person has consented. */
const withConsent = ["oauth-refresh"];

/** The least number of secrets in a journey's responses, so that the search for them in its output is meaningful. */
const secretsAnswered: Readonly<Record<string, number>> = {
  "key-life-cycle": 2,
  "oauth-refresh": 2,
  "verified-delivery": 1,
};

/** A line of a journey that is made wrong, and the step and check that must then fail. */
const faults = [
  {
    what: "a value that differs",
    journey: "first-call",
    from: '$response.body#/data/currency == "EUR"',
    to: '$response.body#/data/currency == "USD"',
    step: "create-wallet",
    check: '$response.body#/data/currency == "USD"',
  },
  {
    what: "another status than the expected one, although the document has both",
    journey: "first-call",
    from: "$statusCode == 401",
    to: "$statusCode == 403",
    step: "call-without-a-key",
    check: "$statusCode == 403",
  },
  {
    what: "a value that is missing",
    journey: "first-call",
    from: "$response.body#/data/balance/pending == 0",
    to: "$response.body#/data/balance/blocked == 0",
    step: "create-wallet",
    check: "$response.body#/data/balance/blocked == 0",
  },
  {
    what: "a page with an item too many",
    journey: "pagination",
    from: "$[?length(@.data) == 1]",
    to: "$[?length(@.data) == 0]",
    step: "read-last-page",
    check: "$[?length(@.data) == 0]",
  },
  {
    what: "a condition that does not come true in time",
    journey: "key-life-cycle",
    from: "value: $steps.create-key.outputs.secret }\n        successCriteria:\n          - condition: $statusCode == 401",
    to: "value: $inputs.apiKey }\n        successCriteria:\n          - condition: $statusCode == 401",
    step: "refuse-old-key",
    check: "$statusCode == 401",
  },
  {
    what: "a delivery that was not verified, for the receiver has another secret",
    journey: "verified-delivery",
    from: "payload: { secret: $steps.register-webhook.outputs.secret }",
    to: "payload: { secret: whsec_AnotherSecretThatSignsNothing00000000000000 }",
    step: "wait-for-delivery",
    check: '$response.body#/data/0/status == "delivered"',
  },
  {
    what: "an approval that is refused",
    journey: "deposit-to-transfer",
    from: "payload: { outcome: approved }",
    to: "payload: { outcome: rejected }",
    step: "approve",
    check: '$response.body#/data/status == "approved"',
  },
  {
    what: "a repeated refresh that is answered with something else",
    journey: "oauth-refresh",
    from: "refresh_token == $steps.refresh.outputs.refreshToken",
    to: "refresh_token == $steps.exchange-code.outputs.refreshToken",
    step: "repeat-refresh",
    check: "$response.body#/refresh_token == $steps.exchange-code.outputs.refreshToken",
  },
  {
    what: "a grant that lives on, for the second exchange was of another code",
    journey: "oauth-refresh",
    from: /(?<=stepId: refuse-second-exchange[^]*?)code: \$inputs\.code(?=\n)/,
    to: "code: $inputs.codeVerifier",
    step: "refuse-refresh-token",
    check: "$statusCode == 400",
  },
];

/** A place of a document that is made wrong, and the step whose response then does not fit. */
const documentFaults = [
  {
    what: "of the gateway does not describe",
    journey: "first-call",
    source: "gateway",
    document: enforcedOpenapi,
    from: '"tier":{"$ref":"#/components/schemas/Tier"},',
    to: "",
    step: "get-account",
    check: /^schema check: .*tier/s,
  },
  {
    what: "of the identity provider does not allow",
    journey: "oauth-refresh",
    source: "auth",
    document: authOpenapi,
    from: 'the access token lives.","type":"integer","minimum":1',
    to: 'the access token lives.","type":"integer","minimum":3601',
    step: "exchange-code",
    check: /^schema check: .*expires_in/s,
  },
];

let folder: string;
let system: LocalSystem;
let secretStore: SecretStore;
const watch = createSecretWatch();

beforeAll(async () => {
  folder = await createTestFolder();
  const { url } = await createTestDatabase();
  system = await startLocal({ dataDir: folder, env: { DATABASE_URL: url } });
  secretStore = await startSecretStore(join(folder, "receiver-secrets"));
});
afterAll(async () => {
  await secretStore?.stop();
  await system?.program.destroy();
});

/**
 * Each run has an account of its own, because some journeys need one without wallets. The tier is Enterprise, so that
 * no limit stops them. When a person consents, the account is theirs.
 */
async function run(journey: string, file = fileOfJourney(journey)): Promise<JourneyRun> {
  const { accountId, key } = await createCaller(system.env, "admin");
  const inputs = {
    apiKey: watch.note(key),
    accountId,
    runId: accountId,
    receiverUrl: `https://localhost:${system.env["RECEIVER_PORT"]}/`,
    secretStoreUrl: secretStore.url,
    ...(withConsent.includes(journey) && (await letApplicationIn(system, { watch, name: `Of ${accountId}` }))),
  };
  const done = await runJourney({ file, servers: { gateway: system.api, auth: system.auth }, inputs, folder });
  done.secrets.forEach((secret) => watch.note(secret));
  return done;
}

/** Searches everything that a failing test would print. */
function expectNoSecretIn({ output, steps }: JourneyRun): void {
  const printed = output + JSON.stringify(steps);
  expect(watch.findIn(printed)).toEqual([]);
  expect(printed).not.toMatch(/gk_(?:test|live)_\w{30}|whsec_|eyJ\w{20}/);
}

describe.each(listJourneys())("the journey %s", (name) => {
  test("goes well to its last step, calls nobody but us, and prints no secret", async () => {
    const done = await run(name);
    const { code, output, steps, secrets } = done;
    expect(steps.filter(({ failedChecks }) => failedChecks.length > 0)).toEqual([]);
    expect(steps.map(({ stepId }) => stepId)).toEqual(stepsOnPaper(name));
    expect(code).toBe(0);
    expect(output).not.toContain("only-loopback");
    expect(new Set(secrets).size).toBeGreaterThanOrEqual(secretsAnswered[name] ?? 0);
    expectNoSecretIn(done);
  });
});

describe("a journey fails", () => {
  test.each(faults)("at $what", async ({ journey, from, to, step, check }) => {
    const done = await run(journey, await writeChangedJourney(journey, { from, to }));
    const { code, steps } = done;
    const last = steps.at(-1);
    expect(code).not.toBe(0);
    expect(last?.stepId).toBe(step);
    expect(last?.failedChecks).toContain(check);
    // The earlier steps succeeded, and no later step ran.
    expect(steps.slice(0, -1).flatMap(({ failedChecks }) => failedChecks)).toEqual([]);
    expect(steps.map(({ stepId }) => stepId)).toEqual(stepsOnPaper(journey).slice(0, steps.length));
    expectNoSecretIn(done);
  });

  test("at an operation that the document has not", async () => {
    const file = await writeChangedJourney("first-call", { from: ".getAccount", to: ".getAccounts" });
    const { code, steps } = await run("first-call", file);
    expect(code).not.toBe(0);
    expect(steps).toMatchObject([{ stepId: "get-account", failedChecks: [expect.stringContaining("getAccounts")] }]);
  });

  test.each(documentFaults)("at an answer that the document $what, although every condition is met", async (fault) => {
    const { journey, source, document, from, to, step, check } = fault;
    const url = await writeChangedDocument(document(), { from, to });
    const done = await run(journey, await writeChangedJourney(journey, { sources: { ...documents, [source]: url } }));
    expect(done.code).not.toBe(0);
    expect(done.steps).toMatchObject([{ stepId: step, failedChecks: [expect.stringMatching(check)] }]);
    expectNoSecretIn(done);
  });
});

test("what runs a journey can reach this machine only, so a request elsewhere would have been seen", async () => {
  const script = 'await fetch("http://192.0.2.1/").catch(() => process.exit(3))';
  const { code, stderr } = await runCommand(process.execPath, ["--input-type=module", "--eval", script], onlyLoopback);
  expect(code).toBe(3);
  expect(stderr).toContain("only-loopback: 192.0.2.1 was not called");
});

/** Writes a copy of a journey with one line changed, or with other documents. */
async function writeChangedJourney(
  name: string,
  { from = "", to = "", sources = documents }: { from?: string | RegExp; to?: string; sources?: typeof documents },
): Promise<string> {
  const text = await readFile(fileOfJourney(name), "utf8");
  expect(text).toMatch(from);
  const file = join(folder, `changed-${randomUUID()}.arazzo.yaml`);
  const changed = text
    .replace(from, () => to)
    .replace("url: ../openapi.yaml", `url: ${sources.gateway}`)
    .replace("url: ../auth.yaml", `url: ${sources.auth}`);
  await writeFile(file, changed);
  return file;
}

async function writeChangedDocument(
  document: OpenApiDocument,
  { from, to }: { from: string; to: string },
): Promise<string> {
  const file = join(folder, `changed-${randomUUID()}.json`);
  const text = JSON.stringify(document);
  expect(text.split(from)).toHaveLength(2);
  await writeFile(file, text.replace(from, to));
  return file;
}
