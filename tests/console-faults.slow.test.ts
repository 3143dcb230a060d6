import { describe, expect, test } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { visitConsole } from "./support/console-visit.ts";

const chromium = await startChromium();

/** What goes wrong while somebody works, and what somebody may take for something else. */
describe.skipIf(chromium === null)("in the console, when something is missing", () => {
  const visit = visitConsole(chromium);
  const { go, dialog } = visit.hands;

  test("what was pressed offline is refused at once, and is not done when the network is back", async () => {
    const { api, page } = visit;
    await go("/wallets?do=create");
    await page.getByLabel("Name", { exact: true }).fill("Thought better of");
    await page.context().setOffline(true);
    await dialog().getByRole("button", { name: "Create wallet" }).click();
    await dialog().locator(".failure").getByText("CONNECTION_FAILED").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await page.context().setOffline(false);
    // Whatever waited for the network goes out before this does.
    await go("/wallets?do=create");
    await page.getByLabel("Name", { exact: true }).fill("Wanted");
    await dialog().getByRole("button", { name: "Create wallet" }).click();
    await page.getByText("The wallet is there.").waitFor();
    expect(await api.get("wallets")).toMatchObject([{ name: "Wanted" }]);
  });
});
