import { openapi } from "@gateway/contract";
import { createSimulatedPorts } from "@gateway/simulation";
import { createTestFolder } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "../apps/auth/test/support/test-auth.ts";
import { startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import { createOauthReader, signInFor } from "./support/docs-oauth.ts";
import { readGeneratorGuide, type GeneratorSection } from "./support/generator-guide.ts";
import { pasteInto } from "./support/paste-into.ts";
import { startLaterGateway, type LaterGateway } from "./support/later-gateway.ts";

/**
 * Each generator of the guide "Use another client generator" is installed as the guide says, from the registry of its
 * language. The guide's own program then calls a live gateway. A generator that cannot be installed is a failure, not a
 * skip, even if only its language is missing.
 */
const guide = readGeneratorGuide();
const installedWithinMs = 900_000;

/** The guide's variant for an access token: the file, the line of the key, and its replacement. */
const withToken: Record<string, readonly [file: string, key: string, token: string]> = {
  "@hey-api/openapi-ts (TypeScript)": [
    "main.ts",
    'auth: ({ type }) => (type === "apiKey" ? process.env.GATEWAY_API_KEY : undefined)',
    'auth: ({ scheme }) => (scheme === "bearer" ? process.env.ACCESS_TOKEN : undefined)',
  ],
  "orval (TypeScript)": [
    "gateway-fetch.ts",
    'headers.set("X-API-Key", process.env.GATEWAY_API_KEY ?? "")',
    'headers.set("Authorization", "Bearer " + process.env.ACCESS_TOKEN)',
  ],
  "openapi-python-client (Python)": [
    "main.py",
    'token=os.environ["GATEWAY_API_KEY"], auth_header_name="X-API-Key", prefix=""',
    'token=os.environ["ACCESS_TOKEN"]',
  ],
  "oapi-codegen (Go)": [
    "main.go",
    'req.Header.Set("X-API-Key", os.Getenv("GATEWAY_API_KEY"))',
    'req.Header.Set("Authorization", "Bearer "+os.Getenv("ACCESS_TOKEN"))',
  ],
  "OpenAPI Generator (Java)": [
    "Main.java",
    'client.setApiKey(System.getenv("GATEWAY_API_KEY"))',
    'client.setBearerToken(System.getenv("ACCESS_TOKEN"))',
  ],
};

let auth: TestAuth;
let gateway: TestGateway;
let later: LaterGateway;

beforeAll(async () => {
  auth = await startTestAuth();
  gateway = await startTestGateway({
    databaseUrl: auth.databaseUrl,
    createPorts: createSimulatedPorts,
    env: { AUTH_URL: auth.origin, API_URL: auth.apiUrl, ENCRYPTION_KEYS: auth.encryptionKey.toString("base64") },
  });
  later = await startLaterGateway(`http://127.0.0.1:${gateway.port}`);
});
afterAll(async () => {
  await later.stop();
  await gateway.stop();
  await auth.stop();
});

test("the guide has five generators, and says of each how to send an access token", () => {
  expect(guide.sections.map(({ title }) => title)).toEqual(Object.keys(withToken));
});

describe.each(guide.sections)("$title", (section) => {
  let folder: string;
  let env: Record<string, string>;
  const run = () => pasteInto(folder, section.run, env);

  beforeAll(async () => {
    ({ folder, env } = await makeClient(section));
  }, installedWithinMs);

  test("creates once, reads a code and walks through all pages, with the key in one header", async () => {
    await expectProgram(await run(), { env, code: "NOT_FOUND" });
    expectOnly("x-api-key");
  });

  test("takes fields and values that are newer than the document", async () => {
    later.grow(true);
    try {
      await expectProgram(await run(), { env, code: "ADDED_LATER" });
    } finally {
      later.grow(false);
    }
    expectOnly("x-api-key");
  });

  test("with an access token in the one other header", async () => {
    const [file, key, token] = withToken[section.title] ?? ["", "", ""];
    expect(section.text.replaceAll("`", "")).toContain(token);
    await writeChanged(section, { folder, file, from: key, to: token });
    await expectProgram(await run(), { env, code: "NOT_FOUND" });
    expectOnly("authorization");
  });
});

test(
  "the guide's reason: `auth: () => key` of @hey-api/openapi-ts sends the key twice, and is told so",
  async () => {
    const [section] = guide.sections;
    if (!section) {
      throw new Error("The guide has no generators.");
    }
    const { folder, env } = await makeClient(section);
    const [file, from] = withToken[section.title] ?? ["", ""];
    await writeChanged(section, { folder, file, from, to: "auth: () => process.env.GATEWAY_API_KEY" });
    await expect(pasteInto(folder, section.run, env)).rejects.toThrow(/An API key goes into X-API-Key alone/);
    expect(later.takeCredentials()).toEqual([["x-api-key", "authorization"]]);
  },
  installedWithinMs,
);

type Client = { folder: string; env: Record<string, string> };

/** Follows the section in a folder from which no part of the repository can be reached. */
async function makeClient({ files, make }: GeneratorSection): Promise<Client> {
  const folder = await createTestFolder();
  // Go is often installed and not on the PATH.
  const path = `${process.env["PATH"] ?? ""}:/usr/local/go/bin`;
  const env = { ...(await createCaller()), GATEWAY_URL: later.url, PATH: path };
  await writeFile(join(folder, guide.document), JSON.stringify(openapi()));
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const [name, code] of files) {
    await writeFile(join(folder, name), code);
  }
  await pasteInto(folder, `${guide.prepare}\n${make}`, env);
  return { folder, env };
}

/** Creates an account with three wallets and its credentials: a key, and an access token of one of its people. */
async function createCaller(): Promise<Record<string, string>> {
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "write");
  for (const name of ["One", "Two", "Three"]) {
    await gateway.call({ method: "POST", target: "/api/v1/wallets", key, body: { name, currency: "EUR" } });
  }
  const reader = await createOauthReader(auth, account);
  const { ACCESS_TOKEN = "" } = await signInFor("$ACCESS_TOKEN", { auth, reader });
  return { GATEWAY_API_KEY: key, ACCESS_TOKEN };
}

type Change = { folder: string; file: string; from: string; to: string };

async function writeChanged({ files }: GeneratorSection, { folder, file, from, to }: Change): Promise<void> {
  const code = files.get(file) ?? "";
  expect(code).toContain(from);
  await writeFile(join(folder, file), code.replace(from, to));
}

/**
 * Each program prints the wallet, the same wallet and `true`. Then it prints the code, and each wallet with its
 * available balance.
 */
async function expectProgram(printed: string, { env, code }: { env: Record<string, string>; code: string }) {
  const key = env["GATEWAY_API_KEY"] ?? "";
  const { json } = await gateway.call({ target: "/api/v1/wallets?limit=100", key });
  const wallets = (json as { data: { id: string }[] }).data.map(({ id }) => id);
  expect(wallets).toHaveLength(4);
  expect(printed.trim().split("\n")).toEqual([
    `${wallets[0]} ${wallets[0]} true`,
    code,
    ...wallets.map((id) => `${id} 0`),
  ]);
}

/** Every request of the program had this credential and no other: two to create, one for the code, two pages. */
function expectOnly(header: string): void {
  expect(later.takeCredentials()).toEqual(Array.from({ length: 5 }, () => [header]));
}
