import type { Page } from "playwright-core";

/** An authenticator of the machine that knows its user and responds at once, including in the field of the address. */
export async function addAuthenticator(page: Page, { isOfferedInField = false } = {}): Promise<void> {
  if (!isOfferedInField) {
    await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
  }
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds a passkey on the user's account page. */
export async function addPasskey(page: Page): Promise<void> {
  await page.click("text=Add a passkey");
  await page.fill("#name", "Key");
  await page.click("button:has-text('Add passkey')");
  await page.waitForSelector("text=The passkey is added.");
}
