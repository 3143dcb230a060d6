import { expect } from "vitest";
import { developerScreenFlows } from "./developer-screen-flows.ts";
import { moneyScreenFlows } from "./money-screen-flows.ts";
import { passport, verifiedPerson, type ScreenFlows } from "./screen-flow.ts";

/**
 * The main purpose of each screen, done once on it and verified through the API. The keys are the router's paths, which
 * a test compares, so a new screen needs a line here. The suites of the tier nightly cover the other features.
 */
export const screenFlows: ScreenFlows = {
  "/": async ({ page, api, go }) => {
    await api.post("wallets", { name: "Operating", currency: "EUR" });
    for (const reference of ["Customer 7", "Customer 8"]) {
      const { id } = await api.post("kyc-verifications", {
        ...{ reference, subject: verifiedPerson, documents: [passport] },
      });
      await api.post(`sandbox/kyc-verifications/${id}/simulate`, { outcome: "review_required" });
    }
    await go("/");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Operating" }).waitFor();
    await page.getByText("All wallets together").waitFor();
    await page.getByRole("link", { name: "2 verifications wait for a review" }).click();
    await page.getByRole("link", { name: "Customer 8" }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "wallet.created" }).first().click();
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  },
  ...moneyScreenFlows,
  ...developerScreenFlows,
  "/people": async ({ page, api, go, press, dialog, confirm, field, words }) => {
    const email = `ada-${crypto.randomUUID()}@example.com`;
    await go("/people");
    await press("Invite");
    await dialog().getByLabel("E-mail address").fill(email);
    await confirm("Send invitation", "The invitation is sent.");
    await page.getByRole("link", { name: email }).waitFor();
    await press(`viewer change the role of ${email}`);
    await field(/^Member/).check();
    await words(/^Gains \d+ operations/).waitFor();
    await confirm("Change role", "The role is changed.");
    expect(await api.get("people")).toContainEqual(expect.objectContaining({ email, role: "member" }));
  },
  "/settings": async ({ api, go, press, dialog, confirm }) => {
    await go("/settings");
    await press("Rename");
    await dialog().getByLabel("Name", { exact: true }).fill("Acme");
    await confirm("Rename", "The account is renamed.");
    expect(await api.get("account")).toMatchObject({ name: "Acme" });
  },
};
