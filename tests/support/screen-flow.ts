import type { Locator, Page } from "playwright-core";
import type { Person } from "../../apps/auth/test/support/test-auth.ts";
import { createHands, type ConsoleHands } from "./console-hands.ts";
import type { AccountApi, ConsolePage } from "./console-page.ts";

/** The world of a flow: an account of its own, its owner signed in, and its API. */
export type ScreenFlowWorld = Pick<ConsoleHands, "go" | "press" | "dialog" | "field" | "words" | "readSecret"> & {
  page: Page;
  person: Person;
  api: AccountApi;
  receiverUrl: string;
  /** Presses its button, and waits for the words that say it is done. */
  confirm(button: string, done: string | RegExp): Promise<void>;
  /** The pane next to the list when a row is open. */
  details(): Locator;
};

/** Flows by the path of their screen. */
export type ScreenFlows = Readonly<Record<string, (world: ScreenFlowWorld) => Promise<void>>>;

export const passport = { type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" };
export const verifiedPerson = {
  ...{ givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-09" },
  ...{ country: "DE", address: "1 Street" },
};

/** One page for all: each flow enters it as somebody new. */
export async function enterFlow(world: ConsolePage, page: Page): Promise<ScreenFlowWorld> {
  const { person, api } = await world.createAccount();
  await world.enterAs(page, person);
  const { go, press, dialog, field, words, readSecret } = createHands({ page, world });
  return {
    ...{ page, person, api, receiverUrl: world.receiverUrl, go, press, dialog, field, words, readSecret },
    confirm: async (button, done) => {
      await dialog().getByRole("button", { name: button, exact: true }).click();
      await page.getByText(done).first().waitFor();
      await dialog().waitFor({ state: "detached" });
    },
    details: () => page.getByRole("complementary", { name: "Details" }),
  };
}
