import { createTestFolder, startProcess, type TestProcess } from "@gateway/testkit";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { npmStart, runCommand, type LocalSystem } from "./support/local-system.ts";
import { repository } from "./support/source-files.ts";

const kept = join(repository, "docs/pictures");
const made = join(repository, ".screenshots/readme");
/**
 * `PICTURES=renew` keeps the new pictures. They are not compared, because fonts and ids differ from machine to machine.
 */
const isRenewed = process.env["PICTURES"] === "renew";
const viewport = { width: 1200, height: 760 };
const names = ["documentation", "reference", "consent"] as const;
const largestBytes = 150_000;

const browser: Browser | null = await startChromium();

describe.skipIf(browser === null)("the pictures of README.md, from what npm start runs", () => {
  let dataDir: string;
  let system: LocalSystem;
  let demo: TestProcess;
  let page: Page;
  const docs = (): string => `http://127.0.0.1:${system.env["DOCS_PORT"]}/`;

  beforeAll(async () => {
    // The previous build is served until a newer one is ready.
    await runCommand("npm", ["run", "build", "-w", "apps/docs"]);
    dataDir = await createTestFolder();
    system = await npmStart({ dataDir });
    demo = startProcess("npm", ["run", "--silent", "demo:oauth"], { env: { DATA_DIR: dataDir } });
    page = await (browser as Browser).newPage({ viewport, colorScheme: "light" });
    await mkdir(made, { recursive: true });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo.destroy();
    await system.program.destroy();
  });

  test("the front page of the documentation", async () => {
    await page.goto(docs());
    await take("documentation");
  });

  test("an operation of the reference", async () => {
    await page.goto(`${docs()}reference/gateway/tags/wallets#createwallet`);
    await take("reference");
  });

  test("the consent of the demo person", async () => {
    const [, email = "", password = ""] = /^ {2}(\S+@\S+) {2}password (\S+)$/m.exec(system.program.stdout()) ?? [];
    const [url = ""] = await demo.printed(/^http:\/\/localhost:\d+\/api\/v1\/authorize\?.*$/m);
    await page.goto(url);
    await page.locator('input[name="email"]').fill(email);
    await page.locator('input[name="password"]').fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Allow" }).waitFor();
    await take("consent");
  });

  async function take(name: (typeof names)[number]): Promise<void> {
    const path = join(made, `${name}.png`);
    const picture = await page.screenshot({ path });
    console.log(`${path}: ${picture.length} bytes`);
    expect(sizeOf(picture)).toEqual(viewport);
    if (isRenewed) {
      await mkdir(kept, { recursive: true });
      await copyFile(path, join(kept, `${name}.png`));
    }
  }
});

test.each(names)("docs/pictures/%s.png has that size, and less than 150 kB", async (name) => {
  const picture = await readFile(join(kept, `${name}.png`));
  expect(sizeOf(picture)).toEqual(viewport);
  expect(picture.length).toBeLessThan(largestBytes);
});

/** The size of a PNG, from its header. */
function sizeOf(picture: Buffer): { width: number; height: number } {
  return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
}
