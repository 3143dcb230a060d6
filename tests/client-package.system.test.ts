import type { Account } from "@gateway/platform/accounts";
import { build } from "esbuild";
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestGrant,
  mintToken,
  startTestIssuer,
  type TestIssuer,
} from "../apps/gateway/test/support/test-issuer.ts";
import { startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import { judgePackage } from "../packages/client/scripts/judge-package.ts";
import { measureSizes } from "../packages/client/scripts/measure-sizes.ts";
import { startChromium } from "./support/chromium.ts";
import { startPageWithScript } from "./support/page-with-script.ts";
import { installPackedClient, type PackedClient } from "./support/packed-client.ts";
import { repository } from "./support/source-files.ts";

const run = promisify(execFile);
const typesOfNode = "@types/node@24.19.2";
const node22 = `node-linux-${process.arch}@22.23.3`;

/** The results of the script at an account with these wallets. */
const names = ["five", "four", "three", "two", "one"];
const expected = [...names, "name", "EUR"];

let folder: string;
let tarball: string;
let install: PackedClient["install"];
let issuer: TestIssuer;
let gateway: TestGateway;

beforeAll(async () => {
  ({ folder, tarball, install } = await installPackedClient(typesOfNode));
  await Promise.all(
    ["first-steps.ts", "types.ts"].map((name) => copyFile(join(repository, "tests/client", name), join(folder, name))),
  );
  issuer = await startTestIssuer();
  gateway = await startTestGateway({ issuer });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});

describe("the packed client", () => {
  test("passes publint and are-the-types-wrong", async () => {
    expect(await judgePackage(tarball)).toEqual([]);
  });

  test("holds what it says and nothing of the workspace, and brings openapi-fetch alone", async () => {
    const { stdout } = await run("tar", ["tzf", tarball]);
    const files = stdout
      .trim()
      .split("\n")
      .map((path) => path.replace("package/", ""));
    expect(files.filter((path) => !path.startsWith("dist/")).sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    const inside = await Promise.all(
      files
        .filter((path) => path.startsWith("dist/"))
        .map((path) => readFile(join(folder, "node_modules/gateway-api-client", path), "utf8")),
    );
    const imported = inside.flatMap((text) =>
      Array.from(text.matchAll(/ from ["']([^."'][^"']*)["']/g), ([, specifier]) => specifier),
    );
    expect([...new Set(imported)]).toEqual(["openapi-fetch"]);
  });

  test("is small", async () => {
    const sizes = await measureSizes();
    console.log(sizes.map(({ what, bytes, limitBytes }) => `${bytes} of ${limitBytes} bytes: ${what}`).join("\n"));
    expect(sizes.filter(({ bytes, limitBytes }) => bytes > limitBytes)).toEqual([]);
  });

  const versions: [name: string, compiler: string][] = [
    ["5.9", join(repository, "packages/client/node_modules/typescript/bin/tsc")],
    ["7", join(repository, "node_modules/typescript/bin/tsc")],
  ];
  const platforms: [name: string, settings: object][] = [
    ["a browser", { lib: ["esnext", "dom", "dom.iterable"], types: [] }],
    ["Node", { lib: ["esnext"], types: ["node"] }],
    ["a bundler", { lib: ["esnext", "dom"], types: [], module: "esnext", moduleResolution: "bundler" }],
  ];
  const checks = versions.flatMap(([version, compiler]) =>
    platforms.map(([name, settings]) => ({ version, compiler, name, settings })),
  );

  test.each(checks)(
    "type-checks with TypeScript $version for $name, strict and with exactOptionalPropertyTypes; mistakes do not compile",
    async ({ version, compiler, settings }) => {
      expect((await run(process.execPath, [compiler, "--version"])).stdout).toContain(`Version ${version}.`);
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...strict, ...settings } }));
      const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch(
        (failed: { stdout: string }) => failed,
      );
      expect(stdout).toBe("");
    },
  );

  const modules = ["node16", "nodenext"] as const;
  test.each(versions.flatMap(([version, compiler]) => modules.map((module) => ({ version, compiler, module }))))(
    "is required by a CommonJS program, typed by TypeScript $version with module $module; mistakes do not compile",
    async ({ compiler, module }) => {
      const common = join(folder, "common");
      await mkdir(common, { recursive: true });
      await writeFile(join(common, "package.json"), JSON.stringify({ type: "commonjs" }));
      await copyFile(join(repository, "tests/client/first-steps.ts"), join(common, "first-steps.ts"));
      await writeFile(join(common, "mistake.ts"), mistake);
      const compilerOptions = { ...strict, module, noEmit: false, lib: ["esnext"], types: ["node"] };
      await writeFile(join(common, "tsconfig.json"), JSON.stringify({ compilerOptions }));
      const { stdout } = await run(process.execPath, [compiler, "-p", common]).catch(
        (failed: { stdout: string }) => failed,
      );
      expect(stdout).toBe("");
      expect(await readFile(join(common, "first-steps.js"), "utf8")).toContain('require("gateway-api-client")');
      expect(await runFirstSteps(process.execPath, "./common/first-steps.js")).toEqual(expected);
      await rm(common, { recursive: true });
    },
  );

  test("says its version in the User-Agent", async () => {
    const { version } = JSON.parse(
      await readFile(join(folder, "node_modules/gateway-api-client/package.json"), "utf8"),
    ) as { version: string };
    const script = `
      import { createClient } from "gateway-api-client";
      const fetch = async (_url, { headers }) => Response.json({ data: headers.get("User-Agent"), meta: {} });
      const client = createClient({ apiKey: "gk_test_${"A".repeat(32)}_000000", environment: "sandbox", fetch });
      console.log(await client.account.get());
    `;
    await writeFile(join(folder, "agent.mjs"), script);
    const { stdout } = await run(process.execPath, [join(folder, "agent.mjs")]);
    expect(stdout).toBe(`gateway-client/${version} node/24\n`);
  });

  test("runs fifteen lines on Node 24: three pages, a wallet, a mistake, an event", async () => {
    expect((await run(process.execPath, ["--version"])).stdout).toMatch(/^v24\./);
    expect(await runFirstSteps(process.execPath)).toEqual(expected);
  });

  test("runs them on Node 22", async () => {
    await install(node22);
    const node = join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
    expect((await run(node, ["--version"])).stdout).toMatch(/^v22\./);
    expect(await runFirstSteps(node)).toEqual(expected);
  });

  test("runs them in Chromium, from a bundle, with nothing between the page and the gateway; a key is refused and told why", async () => {
    const browser = await startChromium();
    if (!browser) {
      return;
    }
    const { outputFiles } = await build({
      entryPoints: [join(folder, "first-steps.ts")],
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    });
    const site = await startPageWithScript(outputFiles[0]?.contents ?? new Uint8Array());
    try {
      const { account, key } = await createWallets();
      const grant = await createTestGrant(gateway, account, { redirectUri: `${site.origin}/callback` });
      const accessToken = await mintToken(issuer, grant);
      const page = await browser.newPage();
      await page.goto(site.origin);
      // A function would be sent as source text, and the type-check of this file does not know browser globals.
      const evaluate = (call: string): Promise<unknown> =>
        page.evaluate(`${"import"}("/script.js").then(({ firstSteps, carryKey }) => ${call})`);
      expect(await evaluate(`firstSteps("${gatewayUrl()}", ${JSON.stringify({ accessToken })})`)).toEqual(expected);
      expect(await evaluate(`carryKey("${gatewayUrl()}", "${key}")`)).toMatch(/must not be in a page/);
    } finally {
      await browser.close();
      await site.stop();
    }
  });
});

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: "es2022",
  module: "nodenext",
  noEmit: true,
};

const mistake = `
  import { createClient, type Wallet } from "gateway-api-client";
  export const wallet = (id: string): Promise<Wallet> => createClient({ apiKey: id, environment: "sandbox" }).wallets.get(id);
  // @ts-expect-error no such operation
  createClient({ apiKey: "a", environment: "sandbox" }).wallets.delete("wal_1");
`;

function gatewayUrl(): string {
  return `http://127.0.0.1:${gateway.port}`;
}

/** Creates an account with five wallets, which are three pages of two. */
async function createWallets(): Promise<{ account: Pick<Account, "id">; key: string }> {
  const account = await gateway.createAccount();
  const { secret } = await gateway.createKey(account, "write");
  for (const name of names.toReversed()) {
    await gateway.call({ method: "POST", target: "/api/v1/wallets", key: secret, body: { name, currency: "EUR" } });
  }
  return { account, key: secret };
}

async function runFirstSteps(node: string, file = "./first-steps.ts"): Promise<unknown> {
  const { key: apiKey } = await createWallets();
  const script = `
    import { firstSteps } from "${file}";
    console.log(JSON.stringify(await firstSteps("${gatewayUrl()}", ${JSON.stringify({ apiKey })})));
  `;
  await writeFile(join(folder, "run.mjs"), script);
  const { stdout } = await run(node, [join(folder, "run.mjs")]);
  return JSON.parse(stdout);
}
