import { waitFor } from "@gateway/testkit";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import type { AccountApi, ConsolePage } from "./support/console-page.ts";
import { provideConsole } from "./support/console-visit.ts";
import { destinationAddress } from "./support/destination-address.ts";
import { repository } from "./support/source-files.ts";

const kept = join(repository, "docs/pictures");
const made = join(repository, ".screenshots/guides");
/**
 * `PICTURES=renew` keeps the new pictures. They are not compared, because fonts and ids differ from machine to machine.
 */
const isRenewed = process.env["PICTURES"] === "renew";
const viewport = { width: 1200, height: 760 };
const largestBytes = 150_000;
const schemes = ["light", "dark"] as const;
/** The pictures that the guides and README.md show. */
const names = [
  "console-webhook",
  "console-delivery",
  "console-roll",
  "console-rolled",
  "console-approval",
  "console-approve",
] as const;

const chromium = await startChromium();

describe.skipIf(chromium === null)("the pictures of the guides", () => {
  const used = provideConsole(chromium);
  let page: Page;
  let paths: Record<(typeof names)[number], string>;

  beforeAll(async () => {
    const { world } = used;
    await mkdir(made, { recursive: true });
    const { person, api } = await world.createAccount();
    paths = await prepare(world, api);
    page = await world.openPage({ viewport });
    await world.enterAs(page, person);
  }, 240_000);

  test.each(names)("%s, light and dark", async (name) => {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.goto(used.world.system.consoleUrl + paths[name]);
      await page.getByRole("complementary", { name: "Details", includeHidden: true }).waitFor({ state: "attached" });
      await (/-(?:roll|approve)$/.test(name) ? page.getByRole("dialog") : page.locator(".pane .actions")).waitFor();
      await page.waitForLoadState("networkidle");
      const path = join(made, `${name}-${colorScheme}.png`);
      const picture = await page.screenshot({ path });
      expect(sizeOf(picture)).toEqual(viewport);
      if (isRenewed) {
        await copyFile(path, join(kept, `${name}-${colorScheme}.png`));
      }
    }
  });
});

test.each(names.flatMap((name) => schemes.map((scheme) => `${name}-${scheme}`)))(
  "docs/pictures/%s.png has that size, and less than 150 kB",
  async (name) => {
    const picture = await readFile(join(kept, `${name}.png`));
    expect(sizeOf(picture)).toEqual(viewport);
    expect(picture.length).toBeLessThan(largestBytes);
  },
);

/** Creates a webhook that fails, a rolled key and a transfer that waits. Returns the address that shows each. */
async function prepare(world: ConsolePage, api: AccountApi): Promise<Record<(typeof names)[number], string>> {
  const webhook = await api.post("webhooks", {
    // The receiver does not know the secret, so it refuses what it cannot verify.
    ...{ url: world.receiverUrl, description: "Payroll" },
    events: ["wallet.created", "payment.settled"],
  });
  const wallet = await api.post("wallets", { name: "Cold storage", currency: "BTC" });
  await api.post(`sandbox/wallets/${wallet.id}/fund`, { amount: 75_000_000 });
  await api.post("transfers", {
    ...{ walletId: wallet.id, amount: 2_500_000 },
    destinationAddress,
  });
  const [approval] = await api.get<{ id: string }[]>("approvals");
  const kept = await api.post("api-keys", { name: "Billing worker", permission: "write" });
  const rolled = await api.post("api-keys", { name: "Nightly report", permission: "read" });
  const { secret } = await api.post(`api-keys/${rolled.id}/roll`, { overlapSeconds: 3600 });
  world.system.auth.watch.note(String(secret));
  const readDelivery = async () => {
    const deliveries = await api.get<{ id: string; attemptCount: number }[]>(`deliveries?webhookId=${webhook.id}`);
    return deliveries.find(({ attemptCount }) => attemptCount > 0)?.id;
  };
  await waitFor(async () => (await readDelivery()) !== undefined, { timeoutMs: 60_000 });
  return {
    "console-webhook": `/webhooks?open=${webhook.id}`,
    "console-delivery": `/deliveries?open=${await readDelivery()}`,
    "console-roll": `/keys?open=${kept.id}&do=roll`,
    "console-rolled": `/keys?open=${rolled.id}`,
    "console-approval": `/inbox?open=${approval?.id}`,
    "console-approve": `/inbox?open=${approval?.id}&do=approve`,
  };
}

/** The size of a PNG, from its header. */
function sizeOf(picture: Buffer): { width: number; height: number } {
  return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
}
