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

  test("a screen that was not seen yet says offline that it is, and comes with the network; the page stays", async () => {
    const { page } = visit;
    await go("/wallets");
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByText("Offline: this screen comes with the network.").waitFor();
    expect(await page.getByRole("navigation", { name: "Screens" }).isVisible()).toBe(true);
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  });
});
