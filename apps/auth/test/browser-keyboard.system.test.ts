import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { startChromiumWorld, type ChromiumWorld } from "./support/chromium-world.ts";
import { checkPage } from "./support/inspect-page.ts";
import { keyboardWalks } from "./support/keyboard-walks.ts";

const chromium = await launchChromium();

describe.skipIf(!chromium)("by keyboard alone, with nothing for axe to find:", () => {
  let world: ChromiumWorld;

  beforeAll(async () => {
    world = await startChromiumWorld(chromium);
  });
  afterAll(() => world?.stop());
  afterEach(() => world.closePages());

  test.each(Object.keys(keyboardWalks))("%s", async (name) => {
    const page = await world.openPage();
    await keyboardWalks[name]?.({ ...world, page, inspect: (of) => checkPage(page, of) });
  });
});
